# figure: Pings without an answer, by rack of the sender and of the receiver
# of: b3-always-on
# needs: traffic 'pingmesh' or 'ping'
# data cells: WITH rack AS (SELECT p.node, n.name, dense_rank() OVER (ORDER BY
#   n.node) AS at FROM ports p JOIN nodes h ON h.run = p.run AND h.node = p.node
#   AND h.tier = -1 JOIN nodes n ON n.run = p.run AND n.node = p.peer_node
#   WHERE p.run = ?1) SELECT 'cells', b.at, a.at, sum(f.lost), b.name, a.name
#   FROM flows f JOIN rack a ON a.node = f.source JOIN rack b ON b.node =
#   f.destination WHERE f.run = ?1 GROUP BY a.at, b.at ORDER BY 3, 2
set xlabel "T0 of the receiver"
set ylabel "T0 of the sender" offset -2
set cblabel "pings without an answer"
set cbrange [0:*]
set palette defined (0 "#e8f4e8", 1 "#ffe0a0", 4 "#c03020")
set xtics nomirror rotate by -45 noenhanced
set ytics noenhanced
set offsets 0.5, 0.5, 0.5, 0.5
set style fill solid
unset key
plot cells using 1:2:(0.45):(0.45):3:xtic(4):ytic(5) with boxxyerror \
    palette, \
    cells using 1:2:3 with labels
