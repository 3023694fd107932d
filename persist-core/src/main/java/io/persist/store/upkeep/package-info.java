/**
 * What a store does besides its users' calls: compaction, and when it and the next checkpoint are due.
 *
 * <pre>
 *    a commit, Tuner --→ Alarm --→ Upkeep: the thread, which does in turn
 *                                  |     what PendingSettler finds: changes that the index has yet to get
 *                                  |     what Agenda says is due, also at Rest
 *                                  v
 *                                Chores: the pieces --→ Checkpointer      (room checkpoint)
 *                                  |
 *                                  v
 *    SegmentChoice: which one --→ Compactor --→ SegmentMover: the live values of a segment, appended again;
 *                                  |            |             if they would lie closer then: SegmentSurvey
 *                                  |            +--→ Candidates: copies of entries until their step
 *                                  v
 *                                EmptySegments: given back once nobody needs them
 *    how fast: Paces, for compaction by CompactionRate; how long it waits: Patience
 *    threads: one of its own; any by hand; each of the Chores by one at a time
 * </pre>
 */
@NullMarked
package io.persist.store.upkeep;

import org.jspecify.annotations.NullMarked;
