/**
 * Judges what was read and measured, without touching anything.
 *
 * <pre>
 *   Facts (room machine) --+--→ Belief: is a synced commit safe? --+
 *                          |                                       +--→ Diagnosis: verdict, Choices, Findings
 *   Measurements (disk) ---+--→ Hints: what else will hurt --------+
 *   threads: the one that calls; pure functions
 * </pre>
 */
@NullMarked
package io.persist.bench.doctor.diagnosis;

import org.jspecify.annotations.NullMarked;
