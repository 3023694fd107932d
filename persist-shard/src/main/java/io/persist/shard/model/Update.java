package io.persist.shard.model;

/**
 * A change of the collection: at {@code time} there are {@code diff} more of this key with this value.
 *
 * <p>Diffs are summed modulo 2 to the 64, and nobody is told of an overflow. What is read as of a time is right if the
 * true sum of the diffs up to it is a {@code long}, whatever the sums on the way to it were, and however they were
 * merged. Who has amounts for diffs sees to that.
 *
 * @param key the key
 * @param value the value
 * @param time 0 or more
 * @param diff how many more, negative for fewer; 0 says nothing and is left out
 */
public record Update<K, V>(K key, V value, long time, long diff) {}
