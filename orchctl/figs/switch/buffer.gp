# figure: What the buffer holds now
# data pools: SELECT part, low, high, -row FROM bars WHERE panel = 'pool'
#   ORDER BY place, row
# data pool_marks: SELECT 'peak of the shared part', x, -row FROM marks
#   WHERE panel = 'pool' ORDER BY row
# data pool_names: SELECT 'names', 0, -row, name FROM names
#   WHERE panel = 'pool' ORDER BY row
# data pgs: SELECT part, low, high, -row FROM bars WHERE panel = 'pg'
#   ORDER BY place, row
# data pg_marks: SELECT 'XOFF here: guarantee and threshold now', x, -row
#   FROM marks WHERE panel = 'pg' ORDER BY row
# data pg_names: SELECT 'names', 0, -row, name FROM names
#   WHERE panel = 'pg' ORDER BY row
# The colours of guaranteed, shared, headroom, free, free headroom.
array colours[5] = ["#009e73", "#0072b2", "#e69f00", "#e4e4e4", "#f8e7c4"]
set style fill solid 1.0 noborder
set format x "%.0s %c"
set xtics font ",10"
set xlabel "bytes" offset 0,0.4
set xrange [0:*]
set ytics out nomirror noenhanced
set grid noytics
set lmargin screen 0.25
set rmargin screen 0.97
has_pgs = pg_names_blocks > 0
set multiplot
set key at screen 0.97, screen 0.095 right top maxrows 3 \
    samplen 2 font ",10" noenhanced
set tmargin screen 0.90
set bmargin screen (has_pgs ? 0.62 : 0.20)
set offsets 0, graph 0.02, 0.2, 0.2
plot for [i=0:pools_blocks-1] pools index i \
    using 1:3:1:2:($3-0.32):($3+0.32) with boxxyerror \
    lc rgb colours[i+1] title columnheader(1), \
    for [i=0:pool_marks_blocks-1] pool_marks index i \
    using 1:($2-0.4):(0):(0.8) with vectors nohead lw 2 lc rgb "#000000" \
    title columnheader(1), \
    pool_names index 0 using 1:2:ytic(3) with dots lc rgb "#ffffff" notitle
unset label
if (has_pgs) {
    set key at screen 0.45, screen 0.095 right top
    set tmargin screen 0.45
    set bmargin screen 0.20
    set title arg2 noenhanced offset 0,-0.5
    plot for [i=0:pgs_blocks-1] pgs index i \
        using 1:3:1:2:($3-0.32):($3+0.32) with boxxyerror \
        lc rgb colours[i+1] notitle, \
        for [i=0:pg_marks_blocks-1] pg_marks index i \
        using 1:($2-0.4):(0):(0.8) with vectors nohead lw 2 \
        lc rgb "#d55e00" title columnheader(1), \
        pg_names index 0 using 1:2:ytic(3) with dots lc rgb "#ffffff" notitle
}
unset multiplot
