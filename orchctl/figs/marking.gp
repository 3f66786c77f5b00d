# figure: Packets marked CE
# data points: SELECT curve, x, y FROM points WHERE x IS NOT NULL
#   AND (SELECT count(DISTINCT measure) FROM points) <> 2
#   ORDER BY measure, by_number, curve, x
# data shares: SELECT substr(a.curve, length(a.measure) + 3), a.x,
#   100.0 * a.y / b.y FROM points a JOIN points b ON a.run = b.run
#   AND a.rowid < b.rowid AND a.measure <> b.measure WHERE a.x IS NOT NULL
#   AND (SELECT count(DISTINCT measure) FROM points) = 2
#   ORDER BY a.by_number, a.curve, a.x
# Of two measurements the first is drawn as a share of the second.
set xlabel arg2."\n " noenhanced
set ylabel shares_blocks ? "marked CE, %" : arg3 noenhanced
set format y shares_blocks ? "%g" : "%.1s %c"
set yrange [0:*]
set key outside below noenhanced
set offsets graph 0.02, graph 0.02, graph 0.05, 0
name = shares_blocks ? "shares" : "points"
eval "plot for [i=0:".name."_blocks-1] ".name." index i using 1:2 " \
    . "with points pt 7 ps 0.7 title columnheader(1)"
