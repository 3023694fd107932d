package io.persist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import io.persist.codec.MessageOutput;
import io.persist.log.Claim;
import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import io.persist.log.read.Tailer;
import io.persist.packet.Packet;
import io.persist.packet.PacketReader;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import io.persist.store.read.ChangeReader;
import io.persist.store.read.StoreScan;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.transaction.OptimisticTransaction;
import io.persist.store.transaction.Transaction;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every buffer that a user gets is little-endian, whatever order the one before was given by its user. */
class ByteOrderTest {

    private static final LogConfig CONFIG =
            LogConfig.builder(Path.of("memory")).segmentLength(1 << 16).build();
    private static final byte[] KEY = "key".getBytes(UTF_8);
    private static final byte[] VALUE = "a value".getBytes(UTF_8);

    /** The packages whose buffers users get; what lies below is the library's own. */
    private static final Set<String> OF_USERS = Set.of(
            "io.persist",
            "io.persist.codec",
            "io.persist.log",
            "io.persist.log.read",
            "io.persist.packet",
            "io.persist.store",
            "io.persist.store.read",
            "io.persist.store.transaction");

    /** What lies there too, and no user is given. */
    private static final Set<String> OF_THE_LIBRARY = Set.of("SingleOperations");

    private final Set<String> looked = new TreeSet<>();

    private void look(String method, Supplier<@Nullable ByteBuffer> source) {
        for (int i = 0; i < 2; i++) {
            ByteBuffer buffer = Objects.requireNonNull(source.get());
            assertThat(buffer.order()).as(method).isEqualTo(ByteOrder.LITTLE_ENDIAN);
            buffer.order(ByteOrder.BIG_ENDIAN);
        }
        looked.add(method);
    }

    @Test
    void shouldBeLittleEndianInEveryBuffer() {
        messages();
        packets();
        store();
        MessageOutput output = new MessageOutput();
        look("MessageOutput.extend", () -> output.extend(8));
        look("MessageOutput.overwrite", () -> output.overwrite(0, 8));
        assertThat(looked).as("every method that returns a buffer").isEqualTo(buffersOfUsers());
    }

    /** Only these are read: all of them would take long. */
    private static boolean isOfUsers(Location location) {
        String path = location.toString();
        String folder = path.substring(0, path.lastIndexOf('/')).replace('/', '.');
        return OF_USERS.stream().anyMatch(folder::endsWith);
    }

    private static Set<String> buffersOfUsers() {
        return new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .withImportOption(ByteOrderTest::isOfUsers)
                        .importPackages("io.persist")
                        .stream()
                        .filter(type -> OF_USERS.contains(type.getPackageName()))
                        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(type -> !OF_THE_LIBRARY.contains(type.getSimpleName()))
                        .flatMap(type -> type.getMethods().stream())
                        .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(ByteOrderTest::isOfTheLibrary)
                        .filter(method -> method.getRawReturnType().isEquivalentTo(ByteBuffer.class))
                        .map(ByteOrderTest::name)
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Of an abstract method others make the buffer, but for claims: the library makes all of these. */
    private static boolean isOfTheLibrary(JavaMethod method) {
        return !method.getModifiers().contains(JavaModifier.ABSTRACT)
                || method.getOwner().isEquivalentTo(Claim.class);
    }

    private static String name(JavaMethod method) {
        return method.getOwner().getSimpleName() + "." + method.getName();
    }

    private void messages() {
        CrashableStorage storage = new CrashableStorage();
        try (MessageLogger logger = MessageLogger.open(CONFIG, storage)) {
            claim(logger);
        }
        try (MessageLogger logger =
                        MessageLogger.open(CONFIG, DetachedConfig.builder().build(), storage);
                Tailer tailer = logger.tailer()) {
            claim(logger);
            assertThat(tailer.next()).isTrue();
            look("RecordReader.payload", tailer::payload);
            look("RecordReader.payloadUntilNext", tailer::payloadUntilNext);
            tailer.toStart();
            tailer.poll(
                    (position, sequence, payload) ->
                            assertThat(payload.order()).as("handler").isEqualTo(ByteOrder.LITTLE_ENDIAN),
                    1);
        }
    }

    private void claim(MessageLogger logger) {
        look("Claim.payload", () -> {
            Claim claim = logger.claim(8);
            ByteBuffer payload = claim.payload();
            ByteOrder order = payload.order();
            payload.order(ByteOrder.BIG_ENDIAN);
            claim.publish();
            return payload.order(order);
        });
    }

    private void packets() {
        Packet packet = new Packet().add(VALUE);
        look("Packet.payload", packet::payload);
        PacketReader reader = new PacketReader().wrap(packet.payload());
        assertThat(reader.nextMessage()).isTrue();
        look("PacketReader.message", reader::message);
        look("PacketReader.messageUntilNext", reader::messageUntilNext);
    }

    private void store() {
        StoreConfig config =
                StoreConfig.builder(CONFIG).oldValues(OldValues.RECORD).build();
        CrashableStorage storage = new CrashableStorage();
        try (StoreLogger store = StoreLogger.open(config, storage, storage)) {
            store.put(KEY, VALUE);
            store.put(KEY, VALUE);
            look("StoreLogger.get", () -> store.get(KEY));
            look("StoreLogger.getUntilNext", () -> store.getUntilNext(KEY));
            look("StoreOperations.getAndPut", () -> store.getAndPut(KEY, VALUE));
            look("StoreOperations.getAndRemove", () -> {
                store.put(KEY, VALUE);
                return store.getAndRemove(KEY);
            });
            store.put(KEY, VALUE);
            try (Transaction transaction = store.begin()) {
                look("TransactionReads.get", () -> transaction.get(KEY));
                look("TransactionReads.getUntilNext", () -> transaction.getUntilNext(KEY));
                look("Transaction.getAndPut", () -> transaction.getAndPut(KEY, VALUE));
                look("Transaction.getAndRemove", () -> {
                    transaction.put(KEY, VALUE);
                    return transaction.getAndRemove(KEY);
                });
            }
            optimistic(store);
            try (StoreSnapshot snapshot = store.snapshot()) {
                look("StoreSnapshot.get", () -> snapshot.get(KEY));
                look("StoreSnapshot.getUntilNext", () -> snapshot.getUntilNext(KEY));
            }
            scan(store);
            changes(store);
        }
    }

    private void optimistic(StoreLogger store) {
        try (OptimisticTransaction transaction = store.beginOptimistic()) {
            look("OptimisticTransaction.get", () -> transaction.get(KEY));
            look("OptimisticTransaction.getUntilNext", () -> transaction.getUntilNext(KEY));
            look("OptimisticTransaction.getAndPut", () -> transaction.getAndPut(KEY, VALUE));
            look("OptimisticTransaction.getAndRemove", () -> {
                transaction.put(KEY, VALUE);
                return transaction.getAndRemove(KEY);
            });
        }
    }

    private void scan(StoreLogger store) {
        try (StoreScan scan = store.scan(KeyRange.all(), Direction.FORWARD)) {
            assertThat(scan.next()).isTrue();
            look("StoreScan.key", scan::key);
            look("StoreScan.keyUntilNext", scan::keyUntilNext);
            look("StoreScan.value", scan::value);
            look("StoreScan.valueUntilNext", scan::valueUntilNext);
        }
    }

    private void changes(StoreLogger store) {
        try (ChangeReader changes = store.changes(0)) {
            assertThat(changes.next()).isTrue();
            assertThat(changes.next()).as("the change with an old value").isTrue();
            look("ChangeReader.key", changes::key);
            look("ChangeReader.keyUntilNext", changes::keyUntilNext);
            look("ChangeReader.value", changes::value);
            look("ChangeReader.valueUntilNext", changes::valueUntilNext);
            look("ChangeReader.oldValue", changes::oldValue);
            look("ChangeReader.oldValueUntilNext", changes::oldValueUntilNext);
        }
    }
}
