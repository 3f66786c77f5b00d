# figure: What hosts do with what they receive, and how long they pause
# of: a41-gpu-host c8-mtt c8-confine
# needs: hosts with 'pcie'
# data hosts: SELECT 'PCIe', h.node, 100 * h.pcie_utilization FROM host_list h
#   WHERE run = ?1 AND h.pcie_utilization IS NOT NULL UNION ALL SELECT 'reads for caches', h.node,
#   100 * h.lookup_utilization FROM host_list h WHERE run = ?1 AND
#   h.pcie_utilization IS NOT NULL UNION ALL
#   SELECT 'pausing the T0', h.node, coalesce((SELECT 100.0 * sum(duration_ps)
#   / r.virtual_ps FROM pause_list p JOIN runs r ON r.run = p.run WHERE
#   p.run = ?1 AND p.peer = h.node), 0) FROM host_list h WHERE run = ?1 AND
#   h.pcie_utilization IS NOT NULL
set ylabel "share of the time, %"
set yrange [0:105]
set key outside below noenhanced
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.7
set xtics rotate by -45 noenhanced font ",8"
plot for [i=0:hosts_blocks-1] hosts index i using 2:xtic(1) \
    title columnheader(1)
