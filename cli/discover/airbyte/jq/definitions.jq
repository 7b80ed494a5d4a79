# Functions of jq that steps may need, in the order in which they need each other. A name stands behind #: before each.

#: at
# The value at a path, or a default. An element of a list or a text is counted from its end, if its number is below 0.
def at($p; $d): reduce $p[] as $k ([.]; if length == 0 then . else .[0] as $v | ($v | type) as $t
  | if $t == "object" and ($v | has($k)) then [$v[$k]] elif ($t == "array" or $t == "string")
  and ($k | test("^-?[0-9]+$")) then ($k | tonumber | if . < 0 then . + ($v | length) else . end) as $i
  | if $i < 0 or $i >= ($v | length) then [] elif $t == "array" then [$v[$i]] else [$v[$i:$i + 1]] end
  else [] end end) | if length == 0 then $d else .[0] end;

#: there
# Whether there is a member at a path.
def there($p): reduce $p[] as $k ([.]; if length > 0 and (.[0] | type) == "object" and (.[0]
  | has($k)) then [.[0][$k]] else [] end) | length > 0;

#: yes
# Whether Python takes a value for true.
def yes: . != null and . != false and . != 0 and . != "" and . != [] and . != {};

#: kept
# Whether a condition of a manifest holds, of which the text counts.
def kept: . == null or (. != false and . != 0 and . != [] and . != {} and (. as $v
  | ["", "False", "false", "{}", "[]", "()", "0", "0.0"] | index([$v]) == null));

#: str
# A value as Python prints it; rep as it stands within a list.
def rep: if . == null then "None" elif . == true then "True" elif . == false then "False"
  elif type == "string" then (if contains("'") and (contains("\"") | not) then "\""
  else "'" end) as $q | $q + (gsub("\\\\"; "\\\\") | gsub("\n"; "\\n") | gsub("\r"; "\\r")
  | gsub("\t"; "\\t") | if $q == "'" then gsub("'"; "\\'") else . end) + $q elif type == "array"
  then "[" + (map(rep) | join(", ")) + "]" elif type == "object" then "{" + (to_entries | map((.key
  | rep) + ": " + (.value | rep)) | join(", ")) + "}" else tostring end; def str: if type == "string"
  then . else rep end;

#: dump
# A value as json.dumps writes it.
def dump: if type == "array" then "[" + (map(dump) | join(", ")) + "]" elif type == "object"
  then "{" + (to_entries | map((.key | tojson) + ": " + (.value | dump)) | join(", ")) + "}"
  else tojson end;

#: lit
# What literal_eval reads in a text: unquoted is the text in quotes, an error where it is none.
def unquoted: if test("^(\"([^\"\\\\\r\n]|\\\\[^\r\n])*\"|'([^'\\\\\r\n]|\\\\[^\r\n])*')$") then .[1:-1]
  | gsub("\\\\(?<c>.)"; .c as $c | if "xuUN01234567" | contains($c) then error("an escape that is not supported")
  else {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", "\"": "\""}[$c] // "\\" + $c end)
  else error("no text in quotes") end;
def listed: fromjson | if any(.. | scalars; . == null or . == true or . == false)
  then error("other names in Python") else . end;
def lit: if type != "string" then . else . as $text | sub("^[ \t]+"; "") | sub("\\s+$"; "")
  | if . == "True" then true elif . == "False" then false
  elif . == "None" then null elif test("^[-+]?(0(_?0)*|[1-9](_?[0-9])*)$") and length < 16
  then gsub("[+_]"; "") | tonumber elif
  test("^[-+]?([0-9]+[.][0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$|^[-+]?[0-9]+[eE][-+]?[0-9]+$")
  then ltrimstr("+") | sub("[.](?<e>$|[eE])"; ".0\(.e)") | sub("^(?<s>-?)[.]"; "\(.s)0.") | tonumber
  elif test("^[\"']") then try unquoted catch $text
  elif test("^(\\[.*\\]|\\{.*\\})$") then try listed catch $text else $text end end;

#: int
# The filter int.
def int: if . == true then 1 elif type == "number" then if . < 0 then ceil else floor end
  elif type == "string" and test("^ *[-+]?[0-9](_?[0-9])*([.][0-9]*)? *$") then gsub("[ +_]"; "")
  | tonumber | if . < 0 then ceil else floor end else 0 end;

#: float
# The filter float.
def float: if type == "number" then . elif . == true then 1 elif type == "string"
  and test("\\A\\s*[-+]?(inf(inity)?|nan)\\s*\\z"; "i") then error("a number that is none")
  elif type == "string" and
  test("\\A\\s*[-+]?([0-9](_?[0-9])*[.]?([0-9](_?[0-9])*)?|[.][0-9](_?[0-9])*)([eE][-+]?[0-9](_?[0-9])*)?\\s*\\z")
  then gsub("\\s|_"; "") | ltrimstr("+") | sub("[.](?<e>$|[eE])"; ".0\(.e)")
  | sub("^(?<s>-?)[.]"; "\(.s)0.") | tonumber else 0 end;

#: each_
# The list of a member of each element.
def each_($k): if yes | not then [] elif type != "array" then error("no list of objects")
  elif all(.[]; type == "object" and has($k)) then map(.[$k]) else "[" + (map(if type == "object"
  and has($k) then .[$k] | rep else "Undefined" end) | join(", ")) + "]" end;

#: thin
# A value without what is removed by a condition.
def thin(f): def leaf: type != "object" and type != "array"; if type == "object"
  then with_entries(select(.value | (leaf and f) | not) | .value |= thin(f)) elif type == "array"
  then (if length > 0 and (.[-1] | leaf and f) then .[:-1] else . end) | map(if leaf and f then null
  else thin(f) end) else . end;

#: moment
# The seconds of an ISO 8601 text.
def moment: if . == null then error("a time that is null") elif type != "string"
  then error("a time that is no text") else
  ([capture("\\A(?<y>19[7-9][0-9]|2[0-9]{3})-(?<m>[01][0-9])-(?<d>[0-3][0-9])([T ](?<h>[01][0-9]|2[0-3]):(?<i>[0-5][0-9])(:(?<s>[0-5][0-9])([.,][0-9]+)?)?([Zz]|(?<p>[+-])(?<a>[01][0-9]|2[0-3])(:?(?<b>[0-5][0-9]))?)?)?\\z")]
  | .[0]) as $t | if $t == null then error("a time that is not supported") else $t
  | map_values(. // "0") | ([(.y, .m, .d, .h, .i, .s) | tonumber] | .[1] -= 1 | . + [0, 0]
  | mktime) as $u | if ($u | strftime("%m-%d")) != "\(.m)-\(.d)" then error("a day that is none")
  else $u - (if .p == "-" then -60 else 60 end) * ((.a | tonumber) * 60 + (.b | tonumber)) end
  | if . < 0 then error("a time before 1970") else . end end end;

#: pairs
# An object of names and values, some of which are missing.
def pairs: if all(.[]; length == 2) then map({(.[0]): .[1]}) | add else "{" + (map((.[0] | rep)
  + ": " + (if length == 2 then .[1] | rep else "Undefined" end)) | join(", ")) + "}" end;

#: ascii
# A text whose letters all versions of jq change alike.
def ascii: if explode | any(. > 127) then error("a text that is not ASCII") else . end;

#: has_
# Whether a value is in another.
def has_($x): if type == "object" then has($x) elif type == "array" then index([$x]) != null
  elif type == "string" then contains($x) else false end;

#: renamed
# A part of all names replaced.
def renamed($a; $b): if type == "object" then with_entries(.key |= (split($a) | join($b))
  | .value |= renamed($a; $b)) else . end;

#: snake
# A name in snake case.
def snake: [match("[A-Z]+[a-z]*|[a-z]+|[0-9]+|[^a-zA-Z0-9]+"; "g").string | if test("^[^a-zA-Z0-9]")
  then "" else . end] | if length > 2 then .[:1] + (.[1:-1] | map(select(. != ""))) + .[-1:]
  else . end | if length > 0 and (.[0] | test("^[0-9]+$")) then [""] + . else . end
  | map(ascii_downcase) | join("_");

#: flat
# The members of all objects within at the top.
def flat($lists): {s: [[., "_"]], o: {}, f: false} | until(.s | length == 0; .s[-1] as [$v, $p]
  | .s |= .[:-1] | if ($v | type) == "object" then reduce ($v | to_entries[]) as $e (.; (if .f or (.o
  | has($e.key)) then "\($p).\($e.key)" else $e.key end) as $k | .s += [[$e.value, $k]]) elif $lists
  and ($v | type) == "array" then reduce range($v | length) as $i (.; .f = true
  | .s += [[$v[$i], "\($p).\($i)"]]) else .o[$p] = $v end) | .o;
