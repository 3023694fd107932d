/**
 * What can go wrong with a shard that is not the caller's mistake, which is an {@link IllegalArgumentException} or
 * {@link IllegalStateException} as everywhere.
 *
 * <pre>
 *    ShardException
 *      LocationException          a blob or consensus did not do as asked
 *        DeterminateException       it surely did not happen: do it again as it is
 *        IndeterminateException     it may have happened: only a repetition with the same token is safe
 *      SinceException             the history below since is gone
 *      LeaseExpiredException      others took the owner of a handle for dead
 *      DamagedShardException      an object is missing, cut, another one's, or damaged
 *      CodecMismatchException, NewerVersionException, ShardTimeoutException
 * </pre>
 */
@NullMarked
package io.persist.shard.error;

import org.jspecify.annotations.NullMarked;
