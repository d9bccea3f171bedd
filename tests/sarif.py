#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads what auditopt check writes as JSON and SARIF of each input named.

Usage: sarif.py AUDITOPT INPUT...

SARIF is compared with what the standard (OASIS, SARIF 2.1.0) demands of the
parts that are used. The published schema is not in this tree, for its licence;
where AUDITOPT_SARIF_SCHEMA names a copy and python3-jsonschema is there, all
of it is asked, too.
"""
import json
import os
import subprocess
import sys
import urllib.parse

FIXED = ["--machine=x86_64", "--auditctl=3.0.9", "--root=root",
         "--fail-on=never", "-q"]
LEVELS = ("error", "warning", "note")


def demand(condition, what):
    if not condition:
        raise AssertionError(what)


def run(program, form, name):
    done = subprocess.run([program, "check", "--format=" + form] + FIXED +
                          [name], capture_output=True, check=False)
    demand(done.returncode == 0, f"{name}: status {done.returncode}")
    return json.loads(done.stdout.decode("ascii"))


def only(item, required, optional=()):
    """ITEM has all of REQUIRED and nothing besides OPTIONAL."""
    demand(isinstance(item, dict), f"{item} is no object")
    for key in required:
        demand(key in item, f"{key} is missing in {item}")
    for key in item:
        demand(key in required or key in optional, f"{key} in {item}")


def message(item):
    only(item, ["text"])
    demand(isinstance(item["text"], str) and item["text"], "empty text")


def location(item, with_message):
    optional = ["id", "message"] if with_message else []
    only(item, ["physicalLocation"], optional)
    physical = item["physicalLocation"]
    only(physical, ["artifactLocation", "region"])
    artifact = physical["artifactLocation"]
    only(artifact, ["uri"], ["uriBaseId"])
    parts = urllib.parse.urlsplit(artifact["uri"])
    demand(artifact["uri"] == urllib.parse.quote(artifact["uri"], safe="/%:"),
           f"{artifact['uri']} is no URI")
    demand(bool(parts.scheme) != ("uriBaseId" in artifact),
           f"{artifact}: absolute and relative")
    region = physical["region"]
    only(region, ["startLine", "startColumn", "endColumn"])
    demand(region["startLine"] >= 1, "line")
    demand(1 <= region["startColumn"] < region["endColumn"], "column")
    if "message" in item:
        message(item["message"])
    return artifact["uri"], region


def rule(item):
    only(item, ["id", "shortDescription", "fullDescription", "help",
                "defaultConfiguration"])
    for key in ("shortDescription", "fullDescription", "help"):
        message(item[key])
    demand(item["defaultConfiguration"]["level"] in LEVELS, "level")
    return item["id"]


def check_sarif(log):
    only(log, ["$schema", "version", "runs"])
    demand(log["version"] == "2.1.0", "version")
    demand(log["$schema"].endswith("sarif-schema-2.1.0.json"), "$schema")
    demand(len(log["runs"]) == 1, "runs")
    one = log["runs"][0]
    only(one, ["tool", "columnKind", "originalUriBaseIds", "results"])
    demand(one["columnKind"] == "unicodeCodePoints", "columnKind")
    driver = one["tool"]["driver"]
    only(driver, ["name", "version", "rules"])
    rules = [rule(item) for item in driver["rules"]]
    demand(len(set(rules)) == len(rules), "a rule is there twice")
    prints = []
    for result in one["results"]:
        only(result, ["ruleId", "ruleIndex", "level", "message", "locations",
                      "partialFingerprints"], ["relatedLocations"])
        demand(rules[result["ruleIndex"]] == result["ruleId"], "ruleIndex")
        demand(result["level"] in LEVELS, "level")
        message(result["message"])
        for place in result["locations"]:
            location(place, False)
        related = result.get("relatedLocations", [])
        for place in related:
            location(place, True)
        demand([place["id"] for place in related] ==
               list(range(1, len(related) + 1)), "ids")
        prints += result["partialFingerprints"].values()
    demand(len(set(prints)) == len(prints), "a fingerprint is there twice")
    return one["results"]


def check_json(log):
    only(log, ["format", "version", "counts", "findings"])
    demand(log["format"] == "auditopt-check" and log["version"] == 1, "format")
    for finding in log["findings"]:
        only(finding, ["id", "severity", "message", "stops_load", "related",
                       "fingerprint"],
             ["file", "line", "column", "end_column", "why", "advice",
              "lines_not_loaded"])
        demand(("file" in finding) == ("line" in finding), "place")
    for level in LEVELS:
        demand(log["counts"][level] == sum(finding["severity"] == level
                                           for finding in log["findings"]),
               "counts")
    return log["findings"]


def validator():
    path = os.environ.get("AUDITOPT_SARIF_SCHEMA")
    if not path:
        print("note: AUDITOPT_SARIF_SCHEMA names no schema: the published one "
              "was not asked")
        return None
    try:
        import jsonschema
    except ImportError:
        print("note: python3-jsonschema is missing: the published schema was "
              "not asked")
        return None
    with open(path, encoding="utf-8") as stream:
        return jsonschema.Draft7Validator(json.load(stream))


def same_place(result, finding):
    if "file" not in finding:
        return not result["locations"]
    region = result["locations"][0]["physicalLocation"]["region"]
    return (region["startLine"] == finding["line"] and
            region["startColumn"] <= finding["column"])


def main():
    program, inputs = sys.argv[1], sys.argv[2:]
    schema = validator()
    seen = 0
    for name in inputs:
        findings = check_json(run(program, "json", name))
        log = run(program, "sarif", name)
        results = check_sarif(log)
        if schema:
            schema.validate(log)
        demand([(r["ruleId"], r["level"]) for r in results] ==
               [(f["id"], f["severity"]) for f in findings],
               f"{name}: JSON and SARIF tell other findings")
        for result, finding in zip(results, findings):
            demand(same_place(result, finding), f"{name}: places differ")
        seen += len(results)
    demand(seen > 8, "too few findings to tell anything")
    print(f"{seen} findings read")


if __name__ == "__main__":
    main()
