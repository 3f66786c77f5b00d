# figure: How long flows got nothing
# of: a30-restart
# needs: 'record: {gaps: TIME}'
# data gaps: SELECT 'gaps', low * 1e-9, high * 1e-9, n FROM hist
#   WHERE run = ?1 AND name = 'gap' ORDER BY low
set xlabel "time without a packet, ms"
set logscale x
set ylabel "gaps"
set logscale y
set yrange [0.5:*]
set key off
set style fill solid 0.4
plot for [i=0:gaps_blocks-1] gaps index i \
    using (($1+$2)/2):3:($2-$1) with boxes
