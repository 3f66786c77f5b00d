# figure: Recorded series
# needs: 'record: {series: ...}'
# data samples: SELECT name || ' ' || object || ', ' || unit, t_ps * 1e-6, value
#   FROM sample_list WHERE run = ?1 ORDER BY 1, t_ps
set xlabel "time, us"
set key outside below noenhanced
plot for [i=0:samples_blocks-1] samples index i using 1:2 with lines lw 1.5 \
    title columnheader(1)
