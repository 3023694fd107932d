/**
 * What state a log or store is in, and what can be done about it: verify, repair and salvage.
 *
 * <pre>
 *   log         --→ LogInspector (core)                   --+
 *   checkpoints --→ CheckpointCheck, StoreJudgement: what --+--→ VerifyTool: state, reasons, remedies
 *                   opening would decide                    +--→ RepairTool: cuts the log, keeps what it cut aside
 *   damaged log, or what was set aside --→ SalvageTool: a new log of all that verifies
 *   threads: the one that calls
 * </pre>
 */
@NullMarked
package io.persist.tool.repair;

import org.jspecify.annotations.NullMarked;
