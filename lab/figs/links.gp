# figure: Flows and utilization of links between switches
# of: b7-polarization
# data links: WITH l AS (SELECT role || ' to ' || (SELECT role FROM nodes n
#   WHERE n.run = k.run AND n.name = k.peer) AS tiers, flows, utilization FROM
#   link_list k WHERE run = ?1 AND tier >= 0 AND (SELECT tier FROM nodes n WHERE
#   n.run = k.run AND n.name = k.peer) >= 0) SELECT tiers, row_number() OVER
#   (PARTITION BY tiers ORDER BY flows), flows, utilization * 100 FROM l
#   ORDER BY tiers, flows
set xlabel "link, the one with fewest flows first"
set ylabel "flows (lines)"
set y2label "utilization, % (dots)"
set xrange [0:*]
set yrange [0:*]
set y2range [0:100]
set y2tics
set ytics nomirror
set key left top noenhanced
plot for [i=0:links_blocks-1] links index i using 1:2 with linespoints lw 2 \
    pt 1 ps 0.5 title columnheader(1), \
    for [i=0:links_blocks-1] links index i using 1:3 axes x1y2 with points \
    pt 7 ps 0.6 notitle
