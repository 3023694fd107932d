/**
 * What a store does besides its users' calls: compaction, and when it and the next checkpoint are due.
 *
 * <pre>
 *    a commit --→ Upkeep --→ Checkpointer                    (room checkpoint)
 *                   |  ↑
 *                   |  Agenda: what is due, also at Rest
 *                   |
 *                   +------→ Compactor: the emptiest segment --→ SegmentMover: live values, appended again,
 *                   |            |                              if they would lie closer then: SegmentSurvey
 *                 Paces          +--→ segments that are empty and needed by nobody are given back
 *    threads: one of its own; any by hand; each of the Chores by one at a time
 * </pre>
 */
@NullMarked
package io.persist.store.upkeep;

import org.jspecify.annotations.NullMarked;
