# What @modelcontextprotocol/conformance starts as the client: the test of the scenario's name, against the server at URL.
#
#   sh client.sh ANANKE URL
set -eu
ananke=$1 url=$2
cd "$(dirname "$0")"
version=$MCP_CONFORMANCE_PROTOCOL_VERSION
test="$MCP_CONFORMANCE_SCENARIO.test.yaml"
# Signing in needs a browser and a person: one test for all of these scenarios, and it has no key.
[ -f "$test" ] || test=anything-else.test.yaml
ANANKE_NO_BUNDLE=1 exec "$ananke" run "$test" --target "$version" --allow-unchecked \
  --var "URL=$url" --var "VERSION=$version" --var "ANANKE=$ananke"
