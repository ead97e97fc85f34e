"""Reads each pin that is named with in-toto's own package: as a Statement, and its
predicate as a Link. It gives both back as JSON, to be compared with what was written."""

import json
import sys

from google.protobuf.json_format import MessageToDict, ParseDict
from in_toto_attestation.predicates.link.v0 import link_pb2
from in_toto_attestation.v1.statement import Statement
from in_toto_attestation.v1 import statement_pb2

for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as f:
        text = json.load(f)
    message = ParseDict(text, statement_pb2.Statement())
    Statement.copy_from_pb(message).validate()
    link = ParseDict(text["predicate"], link_pb2.Link())
    back = MessageToDict(message, preserving_proto_field_name=True)
    if back["predicate"] != text["predicate"] or len(link.materials) != len(text["predicate"]["materials"]):
        sys.exit(f"{name}: what was read is not what was written")
    print(name, len(message.subject), len(link.materials), list(link.command))
