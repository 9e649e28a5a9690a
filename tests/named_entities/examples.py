"""A document for tests of the command and of the tables of NEC, written so that a reader counts."""

from __future__ import annotations

PEOPLE = """
Ann/NNP Lee/NNP  PERSON  1  1  1
she/PRP          -       1  1  1
Bob/NNP Lee/NNP  PERSON  2  1  2
he/PRP           -       2  1  2
Ann/NNP          PERSON  1  2  1
Acme/NNP         ORG     3  -  3
the/DT firm/NN   -       3  4  3
it/PRP           -       3  4  3
Paris/NNP        GPE     4  5  4
the/DT city/NN   -       4  5  4
"""
"""In a, Ann and Bob are one, but for one Ann; Acme's chain has no name. B is perfect."""
