# Rows of sharing.csv, one for each kernel by name: shares of the lines that it touches, in launches added up.
def share($n; $all): if $all == 0 then 0 else $n / $all * 10000 | round / 10000 end;
[.kernels[] | {name, sharing: .analysis.sharing, l1: .l1d.accesses, instructions: .global_instructions}]
| group_by(.name)[]
| (map(.sharing.lines) | add) as $lines
| (map(.sharing.by_sms | length - 1) | max) as $sms
| (map(.sharing.by_sms[($sms + 1) / 2 | floor:] | add) | add) as $broadcast
| (map(.sharing.shared_sms) | add) as $shared
| (map([.sharing.cta_distance[] | select(.low == 1) | .count] | add // 0) | add) as $neighbours
| [.[0].name, length, $lines, share($broadcast; $lines), share($shared - $broadcast; $lines), share($neighbours; $lines),
   share(map(.l1) | add; map(.instructions) | add)]
| map(tostring) | join(",")
