# figure: What each failure does to hosts
# data hosts: SELECT 'hosts', name, value FROM answer
#   WHERE run = ?1 AND kind = 'hosts' ORDER BY number
# data time: SELECT 'time', name, value FROM answer
#   WHERE run = ?1 AND kind = 'time' ORDER BY number
set style data histograms
set style fill solid 0.5
set ylabel "hosts affected"
set y2label "for, ms"
set yrange [0:*]
set y2range [0:*]
set y2tics
set xtics rotate by -45 noenhanced font ",8"
set key outside below noenhanced
plot hosts index 0 using 2:xtic(1) title "hosts affected", \
    time index 0 using 2 axes x1y2 title "for, ms"
