package io.persist.fuzz;

import io.persist.StoreLogger;
import io.persist.StoreView;
import io.persist.error.CorruptLogException;
import io.persist.error.PersistException;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.Durability;
import io.persist.log.TailerConfig;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.read.ChangeReader;
import io.persist.store.read.StoreScan;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.transaction.Transaction;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Supplier;

/**
 * A view changes nothing, a store that refuses its files leaves keys and values alone. One that takes them has the same
 * keys by all ways, keeps what is put, and has it all after a checkpoint, compaction and another opening. Values that
 * somebody keeps stay what they were.
 */
final class StoreUse implements Use {

    private static final byte[] KEY = "a key of the fuzzer".getBytes(StandardCharsets.UTF_8);
    private static final String DAMAGED = "damaged";
    private static final int MAX_ENTRIES = 100_000;

    /** More changes than go into the index at once, where segments are as short as here. */
    private static final byte MANY = 20;

    /** More than an input has. */
    private static final int MAX_CHECKPOINTS = 100;

    private final Disk disk;
    private final Storage storage;
    private final StoreConfig config;
    private final TailerConfig reading;

    StoreUse(FuzzInput input, Disk disk) {
        this.disk = disk;
        this.storage = disk.storage();
        this.config = input.settings().store();
        this.reading = input.settings().all();
    }

    @Override
    public void run() {
        Outcome<Map<String, String>> viewed = Use.attempt(this::view);
        disk.checkUnchanged("a view");
        Use.requireSame(viewed, Use.attempt(this::view), "the second view");
        Reading before = read();
        Outcome<Map<String, String>> opened = Use.attempt(this::open);
        if (opened.isRefused()) {
            checkKept(before, opened.refusal());
            checkRefusedAgain(opened.refusal());
            return;
        }
        changes();
        Map<String, String> expected = change(opened.get());
        Outcome<Map<String, String>> again = Use.attempt(this::open);
        Use.require(!again.isRefused(), "the third opening was refused: " + again.refusal());
        Use.requireSame(expected, again.get(), "what the third opening has");
    }

    /** For the same reason; if the log was recovered before it was refused, another one may come first from then on. */
    private void checkRefusedAgain(String refusal) {
        SortedMap<String, byte[]> now = disk.now();
        boolean isRecovered = disk.files().entrySet().stream()
                .anyMatch(file -> !Arrays.equals(file.getValue(), now.get(file.getKey())));
        String second = String.valueOf(Use.attempt(this::open).refusal());
        if (!isRecovered) {
            Use.requireSame(refusal, second, "the second opening");
        }
        Use.requireSame(second, String.valueOf(Use.attempt(this::open).refusal()), "the third opening");
        Use.require(!second.equals("null"), "an opening took what was refused: " + refusal);
    }

    private Reading read() {
        return Reading.of(storage, reading);
    }

    /** The log may have been recovered before the store was refused; records and checkpoints are what they were. */
    private void checkKept(Reading before, String refusal) {
        String by = "a store that refused its files (" + refusal + ")";
        before.checkAgrees(read());
        SortedMap<String, byte[]> now = disk.now();
        disk.files().forEach((name, bytes) -> {
            boolean isThere =
                    now.keySet().stream().anyMatch(found -> found.startsWith(name)); // aside, if it was cut off
            Use.require(isThere || !isKept(name, bytes), by + " took " + name + " away");
            boolean isCheckpoint = CheckpointName.position(name).isPresent();
            byte[] aside = now.get(name + LogFileName.ASIDE_SUFFIX);
            Use.require(
                    !isCheckpoint || Arrays.equals(bytes, now.get(name)) || Arrays.equals(bytes, aside),
                    by + " changed " + name);
        });
    }

    /** Segments that were filled ahead, and have nothing in them, may go. */
    private static boolean isKept(String name, byte[] bytes) {
        int last = bytes.length - 1;
        while (last >= 0 && bytes[last] == 0) {
            last--;
        }
        return last >= SegmentHeader.LENGTH
                && !name.endsWith(LogFileName.TEMPORARY_SUFFIX)
                && !name.endsWith(LogFileName.SPARE_SUFFIX);
    }

    private Map<String, String> view() {
        try (StoreView view = StoreView.open(storage, storage)) {
            return scan(view.snapshot());
        }
    }

    /** A damaged node of a checkpoint is found when it is read; then the next opening does without that file. */
    private Map<String, String> open() {
        CorruptLogException last = null;
        for (int i = 0; i < MAX_CHECKPOINTS; i++) {
            try {
                return openOnce();
            } catch (CorruptLogException e) {
                if (!String.valueOf(e.getMessage()).contains("wrong checksum of node")) {
                    throw e;
                }
                last = e;
            }
        }
        throw new AssertionError("damaged nodes are found again and again", last);
    }

    private Map<String, String> openOnce() {
        KeptBytes kept = new KeptBytes();
        List<byte[]> written = new ArrayList<>();
        Map<String, String> entries;
        try (StoreLogger store = StoreLogger.open(config, storage, storage)) {
            try (StoreSnapshot snapshot = store.snapshot()) {
                entries = scan(snapshot);
                Use.requireSame(entries, scan(snapshot, Direction.BACKWARD), "the scan from the end");
            }
            Use.requireSame((long) entries.size(), store.size(), "the number of keys");
            entries.forEach((key, value) -> {
                byte[] bytes = HexFormat.of().parseHex(key);
                Use.requireSame(value, value(() -> present(store.get(bytes))), "the value of " + key);
                if (!value.equals(DAMAGED)) {
                    written.add(store.getBytes(bytes));
                    kept.keep(written.get(written.size() - 1), store.getUntilNext(bytes), store.get(bytes));
                }
            });
        }
        kept.check(written);
        return entries;
    }

    private static ByteBuffer present(ByteBuffer value) {
        Use.require(value != null, "a key without a value");
        return value;
    }

    private static Map<String, String> scan(StoreSnapshot snapshot) {
        return scan(snapshot, Direction.FORWARD);
    }

    private static Map<String, String> scan(StoreSnapshot snapshot, Direction direction) {
        try (StoreScan scan = snapshot.scan(KeyRange.all(), direction)) {
            return scan(scan);
        }
    }

    private static Map<String, String> scan(StoreScan scan) {
        Map<String, String> entries = new LinkedHashMap<>();
        while (scan.next()) {
            byte[] key = new byte[scan.key().remaining()];
            scan.key().get(scan.key().position(), key);
            String before = entries.put(HexFormat.of().formatHex(key), value(scan::value));
            Use.require(before == null, "a scan has a key twice");
            Use.require(entries.size() < MAX_ENTRIES, "a scan has no end");
        }
        return entries;
    }

    /** A damaged value is refused, and others are there. */
    private static String value(Supplier<ByteBuffer> value) {
        try {
            ByteBuffer bytes = value.get();
            return bytes.remaining() + "/" + Integer.toHexString(bytes.hashCode());
        } catch (PersistException damaged) {
            Use.refusal(damaged);
            return DAMAGED;
        }
    }

    /** From the log's beginning, if it is there; the values before may be gone. */
    private void changes() {
        changes(() -> ChangeReader.open(storage, 0, TailerConfig.defaults()));
        try (StoreLogger store = StoreLogger.open(config, storage, storage)) {
            changes(() -> store.changes(0));
        } catch (PersistException typed) {
            Use.refusal(typed);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new AssertionError("the changes of a store", e);
        }
    }

    private static void changes(Supplier<ChangeReader> opener) {
        try (ChangeReader changes = opener.get()) {
            for (int i = 0; changes.next(); i++) {
                Use.require(i < MAX_ENTRIES, "changes have no end");
                changes.key();
                changes.value();
                Use.attempt(changes::oldValue);
            }
        } catch (PersistException typed) {
            Use.refusal(typed);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new AssertionError("the changes of a store", e);
        }
    }

    /** What the store has to have afterwards. */
    private Map<String, String> change(Map<String, String> before) {
        Map<String, String> expected = new HashMap<>(before);
        try (StoreLogger store = StoreLogger.open(config, storage, storage)) {
            try {
                Transaction transaction = store.begin();
                transaction.put(KEY, KEY);
                Map<String, String> own = new HashMap<>(expected);
                own.put(HexFormat.of().formatHex(KEY), value(() -> ByteBuffer.wrap(KEY)));
                try (StoreScan scan = transaction.scan(KeyRange.all(), Direction.FORWARD)) {
                    Use.requireSame(own, scan(scan), "a transaction's scan");
                }
                transaction.commit(Durability.SYNCED);
                expected.putAll(own);
                Use.requireSame(ByteBuffer.wrap(KEY), store.getAndPut(KEY, KEY, Durability.SYNCED), "the value before");
                expected.putAll(changeMuch(store, own));
                store.checkpoint();
                store.compact(1 << 20);
                store.checkpoint();
            } catch (PersistException typed) {
                Use.refusal(typed);
            }
        }
        return expected;
    }

    /** A transaction of so many changes that the index gets them in steps; a snapshot of before does not see it. */
    private static Map<String, String> changeMuch(StoreLogger store, Map<String, String> before) {
        Map<String, String> after = new HashMap<>(before);
        try (StoreSnapshot snapshot = store.snapshot()) {
            Transaction transaction = store.begin();
            for (byte i = MANY; i > 0; i--) {
                byte[] key = {'m', i};
                transaction.put(key, key);
                after.put(HexFormat.of().formatHex(key), value(() -> ByteBuffer.wrap(key)));
            }
            transaction.commit(Durability.SYNCED);
            Use.requireSame(before, scan(snapshot), "a snapshot after a large transaction");
            Use.requireSame((long) before.size(), snapshot.size(), "its size");
        }
        try (StoreSnapshot snapshot = store.snapshot()) {
            Use.requireSame(after, scan(snapshot, Direction.BACKWARD), "a large transaction");
        }
        return after;
    }
}
