package io.persist.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.StoreLogger;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.KeyRange;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.read.ChangeReader;
import io.persist.support.Buffers;
import io.persist.testkit.CrashableStorage;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Changes that are gathered without a store, and become one transaction. */
@Timeout(60)
@ParameterizedClass
@EnumSource(WriteBatchTest.Way.class)
class WriteBatchTest {

    enum Way {
        ATTACHED,
        DETACHED
    }

    @Parameter
    Way way;

    private final CrashableStorage storage = new CrashableStorage();
    private final WriteBatch batch = new WriteBatch();
    private StoreLogger store;

    @BeforeEach
    void open() {
        LogConfig log =
                LogConfig.builder(Path.of("store")).segmentLength(256 << 10).build();
        StoreConfig config = StoreConfig.builder(log)
                .oldValues(OldValues.RECORD)
                .maxSpaceRatio(0)
                .build();
        store = way == Way.ATTACHED
                ? StoreLogger.open(config, storage, storage)
                : StoreLogger.open(config, DetachedConfig.builder().build(), storage, storage);
    }

    @AfterEach
    void close() {
        store.close();
        assertThat(storage.openHandles()).isZero();
    }

    private static void put(StoreWrites writes, String key, String value) {
        writes.put(Texts.bytes(key), Texts.bytes(value));
    }

    @Test
    void shouldBeOneTransaction() {
        Texts.put(store, "a", "old");
        Texts.put(store, "range/1", "x");
        long before = store.position();
        put(batch, "range/2", "y");
        batch.removeRange(KeyRange.prefix(Texts.bytes("range/")));
        put(batch, "range/3", "z");
        put(batch, "a", "new");
        put(batch, "a", "newer");
        batch.remove(Texts.bytes("none"));
        assertThat(batch.changes()).isEqualTo(6);
        long end = store.write(batch, Durability.SYNCED);
        assertThat(end).isEqualTo(store.position()).isEqualTo(store.syncedPosition());
        assertThat(Texts.state(store)).hasToString("{a=newer, range/3=z}");
        List<String> seen = new ArrayList<>();
        try (ChangeReader changes = store.changes(before)) {
            while (changes.next()) {
                seen.add(changes.type() + " " + Texts.text(changes.key()) + " was " + Texts.text(changes.oldValue()));
                assertThat(changes.endsTransaction()).isEqualTo(seen.size() == 6);
            }
            assertThat(changes.nextPosition()).isEqualTo(end);
        }
        assertThat(seen)
                .containsExactly(
                        "PUT range/2 was null",
                        "REMOVE_RANGE range/ was null",
                        "PUT range/3 was null",
                        "PUT a was old",
                        "PUT a was new",
                        "REMOVE none was null");
    }

    @Test
    void shouldStayAsItIsUntilItIsCleared() {
        put(batch, "a", "1");
        store.write(batch);
        store.remove(Texts.bytes("a"));
        int bytes = batch.bytes();
        store.write(batch);
        assertThat(Texts.get(store, "a")).isEqualTo("1");
        assertThat(batch.bytes()).isEqualTo(bytes);
        batch.clear();
        assertThat(batch.changes()).isZero();
        put(batch, "b", "2");
        store.write(batch);
        assertThat(Texts.state(store)).hasToString("{a=1, b=2}");
        batch.clear();
        long end = store.position();
        assertThat(store.write(batch)).as("nothing to write").isEqualTo(end);
    }

    /** Whoever fills it and whoever writes it need not be one, nor be without a transaction. */
    @Test
    void shouldGoFromThreadToThread() throws InterruptedException {
        Thread filling = new Thread(() -> put(batch, "a", "1"));
        filling.start();
        filling.join();
        try (Transaction transaction = store.begin()) {
            put(transaction, "b", "2");
            store.write(batch);
            transaction.rollback();
        }
        assertThat(Texts.state(store)).hasToString("{a=1}");
    }

    @Test
    void shouldTakeAsManyChangesAsATransactionCan() {
        WriteBatch most = new WriteBatch(store.maxBytes());
        int count = 0;
        while (most.fits(8, 8)) {
            put(most, "k" + (1_000_000 + count++), "value-" + (count % 90 + 10));
        }
        assertThat(count).isGreaterThan(2000);
        String before = most.changes() + ", " + most.bytes();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> put(most, "one more", "12345678"))
                .withMessageContaining("too long");
        assertThat(most.changes() + ", " + most.bytes()).isEqualTo(before);
        store.write(most);
        store.write(most); // a large one too is still there
        assertThat(store.size()).isEqualTo(count);
    }

    @Test
    void shouldRefuseWhatIsTooLongForTheStoreAndChangeNothing() {
        batch.put(Texts.bytes("a"), new byte[200 << 10]);
        batch.put(Texts.bytes("b"), new byte[200 << 10]);
        long end = store.position();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.write(batch))
                .withMessageContaining("batch is too long: bytes=" + batch.bytes() + ", max=" + store.maxBytes());
        assertThat(store.position()).isEqualTo(end);
        assertThatIllegalArgumentException().isThrownBy(() -> new WriteBatch(8)).withMessageContaining("maxBytes=8");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> batch.put(new byte[0], new byte[1]))
                .withMessageContaining("key.length=0");
    }

    /** A key that lies in a buffer, which lets another thread come in between while it is copied. */
    private static DirectBuffer keyThatIsSlow(Runnable meanwhile) {
        DirectBuffer key = Buffers.direct(Texts.bytes("slow"));
        return (DirectBuffer) Proxy.newProxyInstance(
                DirectBuffer.class.getClassLoader(),
                new Class<?>[] {DirectBuffer.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("getBytes")) {
                        meanwhile.run();
                    }
                    return method.invoke(key, arguments);
                });
    }

    @Test
    void shouldRefuseTwoThreadsAtOnceUntilItIsCleared() {
        DirectBuffer key = keyThatIsSlow(() -> {
            Thread other = new Thread(() -> put(batch, "other", "value"));
            other.start();
            try {
                other.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        assertThatIllegalStateException()
                .isThrownBy(() -> batch.remove(key, 0, 4))
                .withMessage("two threads have used this batch at once: clear it");
        long end = store.position();
        assertThatIllegalStateException()
                .isThrownBy(() -> store.write(batch))
                .withMessage("two threads have used this batch at once: clear it");
        assertThat(store.position()).isEqualTo(end);
        batch.clear();
        put(batch, "a", "1");
        store.write(batch);
        assertThat(Texts.state(store)).hasToString("{a=1}");
    }
}
