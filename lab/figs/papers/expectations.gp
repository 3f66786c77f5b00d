# figure: In how many runs each expectation holds, and what was measured
# data lines: SELECT 'lines', substr(text, 1, 50) || CASE WHEN length(text) > 50
#   THEN ' ...' ELSE '' END, 100.0 * passed / verdicts, measured
#   FROM expectations WHERE verdicts > 0 ORDER BY number
set xlabel "runs, %"
set xrange [0:170]
set lmargin 44
set title offset -12
set xtics 0, 25, 100
set ytics noenhanced font ",9"
set yrange [*:*] reverse
set offsets 0, 0, 0.5, 0.5
set style fill solid 0.4
set key off
plot lines using (0):0:(0):2:($0-0.35):($0+0.35):ytic(1) with boxxyerror, \
    lines using (102):0:3 with labels left noenhanced font ",9"
