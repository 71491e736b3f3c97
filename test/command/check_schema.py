"""check_schema.py SCHEMA PROFILE_SCHEMA FILE: status 0 when the file is of the schema, which may
use the definitions of the profile's, and would not be without any one of its members."""
import json
import sys

import jsonschema


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


schema = load(sys.argv[1])
profile = load(sys.argv[2])
whole = {key: value for key, value in profile.items() if key not in ("$schema", "definitions")}
own = schema.get("definitions", {})
schema["definitions"] = {**profile["definitions"], "profile": whole, **own}
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)

document = load(sys.argv[3])
validator.validate(document)
for member in schema["required"]:
    without = {key: value for key, value in document.items() if key != member}
    other = {**document, member: None}
    if validator.is_valid(without) or validator.is_valid(other):
        sys.exit(f"passes without {member}")
