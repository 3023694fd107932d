package io.persist;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.codec.Decoder;
import io.persist.codec.Encoder;
import io.persist.log.Durability;
import io.persist.store.KeyRange;
import io.persist.store.Texts;
import io.persist.store.read.StoreReads;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.transaction.OptimisticTransaction;
import io.persist.store.transaction.StoreWrites;
import io.persist.store.transaction.Transaction;
import io.persist.store.transaction.WriteBatch;
import io.persist.support.Buffers;
import io.persist.testkit.CrashableStorage;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

/**
 * In which shapes keys and values can be given to a store and to what it gives out. A shape that one of them takes the
 * others take too: a user has no reason to look for it in one class and not in another.
 */
class StoreShapesTest {

    private static final String PART = "byte[], int, int";
    private static final String RANGE_OF_BUFFER = "DirectBuffer, int, int";

    /** What changes a store, and its shapes, in all of {@link #WRITERS}. */
    private static final Map<String, Set<String>> WRITES = Map.of(
            "put",
                    Set.of(
                            "byte[], byte[]",
                            "byte[], " + PART,
                            "byte[], ByteBuffer",
                            RANGE_OF_BUFFER + ", " + RANGE_OF_BUFFER,
                            "byte[], Object, Encoder"),
            "remove", Set.of("byte[]", RANGE_OF_BUFFER),
            "removeRange", Set.of("KeyRange"));

    /** The same of what changes a key and tells of its value: a batch reads nothing. */
    private static final Map<String, Set<String>> CHANGING_READS =
            Map.of("getAndPut", Set.of("byte[], byte[]"), "getAndRemove", Set.of("byte[]"));

    /** What reads by a key, and its shapes, in all of {@link #READERS}. */
    private static final Map<String, Set<String>> READS = Map.of(
            "get", Set.of("byte[]", RANGE_OF_BUFFER, "byte[], Decoder"),
            "getBytes", Set.of("byte[]"),
            "getUntilNext", Set.of("byte[]", RANGE_OF_BUFFER),
            "contains", Set.of("byte[]"));

    private static final List<Class<?>> TRANSACTIONS =
            List.of(StoreLogger.class, Transaction.class, OptimisticTransaction.class);

    private static final List<Class<?>> WRITERS =
            List.of(StoreLogger.class, Transaction.class, OptimisticTransaction.class, WriteBatch.class);

    private static final List<Class<?>> READERS = List.of(
            StoreLogger.class, StoreSnapshot.class, Transaction.class, OptimisticTransaction.class, StoreReads.class);

    private static final byte[] KEY = Texts.bytes("key");
    private static final byte[] VALUE = Texts.bytes("value");
    private static final byte[] AMONG_OTHERS = Texts.bytes("..value..");

    @Test
    void shouldTakeTheSameShapesEverywhere() {
        assertShapes(WRITES, WRITERS);
        assertShapes(CHANGING_READS, TRANSACTIONS);
        assertShapes(READS, READERS);
    }

    private static void assertShapes(Map<String, Set<String>> expected, List<Class<?>> types) {
        for (Class<?> type : types) {
            expected.forEach((operation, shapes) -> assertThat(shapes(type, operation))
                    .as("%s.%s", type.getSimpleName(), operation)
                    .containsExactlyInAnyOrderElementsOf(shapes));
        }
    }

    /** Without the level of a store's own operations. */
    private static Set<String> shapes(Class<?> type, String operation) {
        return methods(type, operation).stream()
                .map(StoreShapesTest::parameters)
                .map(shape -> shape.replace(", Durability", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Method> methods(Class<?> type, String operation) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getName().equals(operation) && !Modifier.isStatic(method.getModifiers()))
                .toList();
    }

    private static String parameters(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
    }

    /** Each operation of the store itself has the configured durability, or the one that the call names. */
    @Test
    void shouldTakeALevelOrNoneInTheStore() {
        for (String operation : List.of("put", "remove", "removeRange", "getAndPut", "getAndRemove", "compareAndSet")) {
            List<String> all = methods(StoreLogger.class, operation).stream()
                    .map(StoreShapesTest::parameters)
                    .toList();
            List<String> withLevel = new ArrayList<>(shapes(StoreLogger.class, operation));
            List<String> expected = new ArrayList<>(withLevel);
            withLevel.forEach(shape -> expected.add(shape + ", Durability"));
            assertThat(all).as(operation).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    private static ByteBuffer remaining() {
        return ByteBuffer.wrap(AMONG_OTHERS).position(2).limit(2 + VALUE.length);
    }

    private static Encoder<String> encoder(StoreLogger store) {
        return (text, output) -> {
            store.contains(KEY); // it may use the store
            output.write(Texts.bytes(text));
        };
    }

    private static void put(StoreLogger store, StoreWrites writes, String name, int shape) {
        byte[] key = Texts.bytes(name);
        switch (shape) {
            case 0 -> writes.put(key, VALUE);
            case 1 -> writes.put(key, AMONG_OTHERS, 2, VALUE.length);
            case 2 -> writes.put(key, remaining());
            case 3 -> writes.put(inBuffer(name), 3, key.length, Buffers.direct(AMONG_OTHERS), 2, VALUE.length);
            default -> writes.put(key, "value", encoder(store));
        }
    }

    private static void put(StoreLogger store, String name, int shape) {
        byte[] key = Texts.bytes(name);
        DirectBuffer values = Buffers.direct(AMONG_OTHERS);
        Durability level = Durability.SYNCED;
        long end = switch (shape) {
            case 0 -> store.put(key, VALUE);
            case 1 -> store.put(key, AMONG_OTHERS, 2, VALUE.length);
            case 2 -> store.put(key, remaining());
            case 3 -> store.put(inBuffer(name), 3, key.length, values, 2, VALUE.length);
            case 4 -> store.put(key, "value", encoder(store));
            case 5 -> store.put(key, AMONG_OTHERS, 2, VALUE.length, level);
            case 6 -> store.put(key, remaining(), level);
            case 7 -> store.put(inBuffer(name), 3, key.length, values, 2, VALUE.length, level);
            default -> store.put(key, "value", encoder(store), level);
        };
        assertThat(end).isEqualTo(store.position());
        assertThat(store.syncedPosition() == end).isEqualTo(shape > 4);
    }

    private static DirectBuffer inBuffer(String name) {
        return Buffers.direct(Texts.bytes("..." + name + "..."));
    }

    private static void assertHas(StoreReads reads, String name) {
        byte[] key = Texts.bytes(name);
        Decoder<String> decoder = value -> Texts.text(value);
        assertThat(reads.getBytes(key)).as(name).isEqualTo(VALUE);
        assertThat(Texts.text(reads.get(key))).isEqualTo("value");
        assertThat(Texts.text(reads.get(inBuffer(name), 3, key.length))).isEqualTo("value");
        assertThat(reads.get(inBuffer(name), 3, key.length).order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
        assertThat(Texts.text(reads.getUntilNext(inBuffer(name), 3, key.length)))
                .isEqualTo("value");
        assertThat(reads.get(key, decoder)).isEqualTo("value");
        assertThat(reads.get(inBuffer("no " + name), 3, key.length)).isNull();
        assertThat(reads.getUntilNext(inBuffer("no " + name), 3, key.length)).isNull();
    }

    private static void assertHasAll(StoreReads reads, int count) {
        for (int shape = 0; shape < count; shape++) {
            assertHas(reads, "key-" + shape);
        }
    }

    @Test
    void shouldPutAndGetTheSameInEachShape() {
        CrashableStorage storage = new CrashableStorage();
        try (StoreLogger store = Texts.open(storage)) {
            for (int shape = 0; shape < 9; shape++) {
                put(store, "key-" + shape, shape);
            }
            assertHasAll(store, 9);
            assertThat(store.remove(inBuffer("key-8"), 3, 5)).isTrue();
            assertThat(store.remove(inBuffer("key-8"), 3, 5, Durability.SYNCED)).isFalse();
            store.removeRange(KeyRange.all());
            try (Transaction transaction = store.begin()) {
                assertPutsAndGets(store, transaction, transaction);
                transaction.commit();
            }
            try (StoreSnapshot snapshot = store.snapshot()) {
                assertHasAll(snapshot, 5);
            }
            store.removeRange(KeyRange.all());
            try (OptimisticTransaction transaction = store.beginOptimistic()) {
                assertPutsAndGets(store, transaction, transaction);
                assertThat(transaction.tryCommit()).isTrue();
            }
            assertHasAll(store, 5);
            store.removeRange(KeyRange.all());
            WriteBatch batch = new WriteBatch();
            for (int shape = 0; shape < 5; shape++) {
                put(store, batch, "key-" + shape, shape);
            }
            batch.put(KEY, VALUE);
            batch.remove(inBuffer("key"), 3, 3);
            store.write(batch);
            assertHasAll(store, 5);
            assertThat(store.contains(KEY)).isFalse();
        }
    }

    private static void assertPutsAndGets(StoreLogger store, StoreWrites writes, StoreReads reads) {
        for (int shape = 0; shape < 5; shape++) {
            put(store, writes, "key-" + shape, shape);
        }
        assertHasAll(reads, 5);
        writes.put(KEY, VALUE);
        writes.remove(inBuffer("key"), 3, 3);
        assertThat(reads.contains(KEY)).isFalse();
        assertThat(writes.changes()).isEqualTo(7);
    }

    /** A key of a buffer counts as read, too. */
    @Test
    void shouldRefuseIfAKeyWasChangedThatWasReadFromABuffer() {
        CrashableStorage storage = new CrashableStorage();
        try (StoreLogger store = Texts.open(storage)) {
            store.put(KEY, VALUE);
            for (int way = 0; way < 2; way++) {
                try (OptimisticTransaction transaction = store.beginOptimistic()) {
                    DirectBuffer key = inBuffer("key");
                    ByteBuffer value = way == 0 ? transaction.get(key, 3, 3) : transaction.getUntilNext(key, 3, 3);
                    assertThat(Texts.text(value)).isEqualTo("value");
                    store.put(KEY, VALUE);
                    transaction.put(Texts.bytes("other"), VALUE);
                    assertThat(transaction.tryCommit()).isFalse();
                }
            }
            assertThat(store.contains(Texts.bytes("other"))).isFalse();
        }
    }
}
