/**
 * Takes segments away that nobody needs any more: the oldest ones by a rule, or one in the middle that a store has
 * emptied.
 *
 * <pre>
 *   RetentionRule        open tailers, named cursors
 *        |                    |
 *        v                    v
 *   Retention: plan  --→  LogNeeds: unless needed  --→  delete, or leave the file to be used again
 *   PlaceholderSegment: a seal in the place of the records
 *   threads: any of the writer's process; without a writer LogRetention, which takes the hold
 * </pre>
 */
@NullMarked
package io.persist.log.retention;

import org.jspecify.annotations.NullMarked;
