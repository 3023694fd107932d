/**
 * Where shards lie: two interfaces that engines of others can be put behind, and how a URI finds one.
 *
 * <pre>
 *    Blob         name → bytes, written once     what batches are in
 *    Consensus    key → versions, each by        the truth: one version for each state of a shard
 *                 compare-and-set
 *    Locations    URI --(ServiceLoader: LocationProvider)--→ Blob, Consensus     mem:  file:  journal:
 * </pre>
 */
@NullMarked
package io.persist.shard.location;

import org.jspecify.annotations.NullMarked;
