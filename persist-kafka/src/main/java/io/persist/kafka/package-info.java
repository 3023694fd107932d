/**
 * State stores of Kafka Streams that keep their data in a {@link io.persist.StoreLogger}. Users name {@link
 * io.persist.kafka.PersistStores}, {@link io.persist.kafka.PersistDslStoreSuppliers} and the keys in {@link
 * io.persist.kafka.PersistSettings}; the rest is called by Kafka.
 *
 * <pre>
 *    Kafka's wrappers (metrics, cache, changelog)             restore consumer
 *                 |  put, get, range, commit(offsets)              |  records of the changelog
 *                 v                                                v
 *          PersistKeyValueStore   the contract of Kafka: init, close, queries, Position
 *                 |
 *             OpenStore           what a store does while it is open  --→ ScanIterator, one for each open iterator
 *                 |                          |
 *          UserKeys, StoreHeader      StoreErrors: what Kafka is told
 *                 |
 *        io.persist.StoreLogger   one log: keys of the user, and one record about the store
 *
 *    threads: one writes (the stream thread, or the thread that restores); any may read
 * </pre>
 *
 * Of Kafka's internal classes four are used: {@code StoreQueryUtils} and {@code PositionSerde} for queries, {@code
 * RecordBatchingStateRestoreCallback} and {@code ChangelogRecordDeserializationHelper} for restoring. All are public in
 * kafka-streams 4.3.
 */
@NullMarked
package io.persist.kafka;

import org.jspecify.annotations.NullMarked;
