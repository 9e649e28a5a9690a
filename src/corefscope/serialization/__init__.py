"""Results as JSON: each is defined as a TypedDict, written, and (for scores) read back.

There is one module per result. Every result names its schema and version, such as ``score/1``;
:mod:`corefscope.schemas` exports the definitions as JSON Schema, and ``typescript`` as
types for the scripts of the report. Adding a field keeps the version; removing or renaming a field,
or changing its meaning, needs a new version.
"""
