/**
 * Finds out where a log ends, and makes it one that can be appended to again. Facts first, then a table, then action,
 * then a report; the same scan serves tools that only look.
 *
 * <pre>
 *   segments, control block
 *        |
 *   LogScan (from ScanStart, or CleanShutdown) --→ ScanFindings --→ RecoveryTable: END, TRUNCATE, CORRUPT
 *                                                  |
 *        +-----------------------+-----------------+
 *        v                       v                 v
 *   Recovery: TailCut,      LogInspector:     LogRepair: cuts
 *   RecoveryReport          looks only        at the damage
 *   threads: the one that opens, or the tool's; there is no writer yet, or it is not disturbed
 * </pre>
 */
@NullMarked
package io.persist.log.recovery;

import org.jspecify.annotations.NullMarked;
