/**
 * The numbers of a log, and its named cursors.
 *
 * <pre>
 *   control file --→ LogMonitor (core) --+--→ StatsTable: people
 *   segments     --→ LogExtent         --+--→ StatsJson
 *   LogMonitor of each log --→ PrometheusMetric --→ PrometheusText
 *   two readings --→ StatsRates: what changed in a second
 *   control file, or a StoreLogger of this process --→ ArcusStats: a store's numbers as ARCUS names them
 *   cursor files --→ CursorsTool
 *   threads: the one that calls; stats sleeps in its Pause
 * </pre>
 */
@NullMarked
package io.persist.tool.stats;

import org.jspecify.annotations.NullMarked;
