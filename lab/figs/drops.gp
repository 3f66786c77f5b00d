# figure: Frames dropped, by place and reason, over time
# data dots: SELECT reason, t_ps * 1e-6, dense_rank() OVER (ORDER BY tier, node,
#   port, reason), node || ' ' || port || ' ' || reason FROM drop_list
#   WHERE run = ?1 ORDER BY reason, t_ps
set xlabel "time, us"
set ylabel "port at which a frame was dropped"
set key outside noenhanced
set ytics noenhanced font ",8"
set offsets 0, 0, 1, 1
plot for [i=0:dots_blocks-1] dots index i using 1:2:ytic(3) \
    with points pt 2 title columnheader(1)
