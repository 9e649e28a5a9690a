"""Results as JSON: each is defined once, as a TypedDict, and written and read back here.

There is one module per result. Every result names its schema and the version of it, such as
``score/1``; :mod:`corefscope.serialization.schema` exports these as JSON Schema, and as types for
the script of the report. A field that is added keeps the version; a field that is removed, renamed,
or that changes its meaning makes a new one.
"""
