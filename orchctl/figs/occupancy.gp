# figure: Occupancy and thresholds
# source: trace
# data held: SELECT object, t, held, threshold, drop_limit FROM levels
#   ORDER BY position, rowid
# data xoff: SELECT 'XOFF', t, held FROM points WHERE kind = 'xoff'
# data xon: SELECT 'XON', t, held FROM points WHERE kind = 'xon'
# data drop: SELECT 'dropped', t, held FROM points WHERE kind = 'drop'
# data mark: SELECT 'marked', t, held FROM points WHERE kind = 'mark'
array colors[8] = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", \
    "#56b4e9", "#d55e00", "#999999", "#000000"]
set xlabel arg2."\n " noenhanced
set ylabel "shared + headroom"
set format y "%.1s %cB"
set xrange [real(arg3):real(arg4)]
set yrange [0:*]
set offsets 0, 0, graph 0.1, 0
set key outside below center horizontal Left reverse noenhanced
set label arg8 at graph 0.01, graph 0.96 left noenhanced font ",9"
# A part of the command for each kind of data that there is.
curves = "for [i=0:held_blocks-1] held index i using 1:2 with steps " \
    . "lw 2 lc rgb colors[i+1] title columnheader(1)"
thresholds = words(arg6) ? ", for [p in arg6] held index int(p) " \
    . "using 1:3 with steps lw 1.5 dt (8, 5) lc rgb colors[int(p)+1] " \
    . "title columnheader(1).' threshold'" : ""
limits = words(arg7) ? ", for [p in arg7] held index int(p) " \
    . "using 1:4 with steps lw 1.5 dt (2, 4) lc rgb colors[int(p)+1] " \
    . "title columnheader(1).' threshold + headroom'" : ""
marks = mark_blocks ? ", mark using 1:2 with points pt 7 ps 0.6 " \
    . "lc rgb '#cc79a7' title 'marked CE'" : ""
xoffs = xoff_blocks ? ", xoff using 1:2 with points pt 9 ps 1.6 " \
    . "lc rgb '#d55e00' title 'XOFF'" : ""
xons = xon_blocks ? ", xon using 1:2 with points pt 11 ps 1.6 " \
    . "lc rgb '#009e73' title 'XON'" : ""
drops = drop_blocks ? ", drop using 1:2 with points pt 2 ps 1.2 lw 2 " \
    . "lc rgb '#000000' title 'dropped'" : ""
eval "plot ".curves.thresholds.limits.marks.xoffs.xons.drops
