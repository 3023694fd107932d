package io.persist.shard.model;

/**
 * A change of the collection: at {@code time} there are {@code diff} more of this key with this value.
 *
 * @param key the key
 * @param value the value
 * @param time 0 or more
 * @param diff how many more, negative for fewer; 0 says nothing and is left out
 */
public record Update<K, V>(K key, V value, long time, long diff) {}
