"""check_schema.py SCHEMAS PROFILE_SCHEMA NAME FILE [NAME FILE]...: exits with 0 if each file matches the schema of that
name in the folder SCHEMAS, and would no longer match without any one of its members. The schema may use the definitions
of the profile's schema."""
import json
import sys

import jsonschema


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def validator_of(schema, profile):
    whole = {key: value for key, value in profile.items() if key not in ("$schema", "definitions")}
    own = schema.get("definitions", {})
    schema["definitions"] = {**profile["definitions"], "profile": whole, **own}
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def complaints(validator, document):
    for error in validator.iter_errors(document):
        yield f"{error.json_path}: {error.message}"
    for member in validator.schema["required"]:
        without = {key: value for key, value in document.items() if key != member}
        other = {**document, member: None}
        if validator.is_valid(without) or validator.is_valid(other):
            yield f"passes without {member}"


def main(folder, profile, pairs):
    validators = {name: validator_of(load(f"{folder}/{name}.json"), load(profile)) for name in pairs[::2]}
    wrong = not pairs
    for name, path in zip(pairs[::2], pairs[1::2], strict=True):
        for complaint in complaints(validators[name], load(path)):
            print(f"{path}: {complaint}")
            wrong = True
    return wrong


sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
