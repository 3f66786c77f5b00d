# figure: p99 of messages against pauses, and goodput
# data points: SELECT kinds.kind, kinds.value, p99.value, goodput.value
#   FROM answer AS kinds
#   JOIN answer AS p99 ON p99.name = kinds.name AND p99.kind = 'p99'
#   JOIN answer AS goodput ON goodput.name = kinds.name
#   AND goodput.kind = 'goodput'
#   WHERE kinds.run = ?1 AND kinds.kind IN ('present', 'recommended', 'front',
#   'other') ORDER BY kinds.kind, kinds.number
set xlabel "paused in all, ms"
set ylabel "p99 of messages, percent of present"
set cblabel "goodput, percent of present"
set key outside below
set grid
plot for [i=0:points_blocks-1] points index i using 1:2:3 with points \
    pt i+5 ps 1.5 lc palette title columnheader(1)
