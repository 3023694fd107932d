package io.persist;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.persist.log.Claim;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.packet.Packet;
import io.persist.packet.PacketReader;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.read.ChangeReader;
import io.persist.store.read.StoreScan;
import io.persist.store.transaction.Transaction;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A user who keeps everything that he is given, and looks at it when all that it came from is gone. */
final class KeepingUser {

    private static final int COUNT = 2000;

    private final Path directory;

    private KeepingUser(Path directory) {
        this.directory = directory;
    }

    public static void main(String[] args) {
        KeepingUser user = new KeepingUser(Path.of(args[0]));
        user.tail();
        user.store();
        user.packets();
        user.claims();
    }

    private LogConfig log(String name) {
        return LogConfig.builder(directory.resolve(name)).segmentLength(1 << 16).build();
    }

    private static byte[] record(int i) {
        return ("record number " + i + " of " + COUNT).getBytes(UTF_8);
    }

    private static void say(String what, boolean isSo, String how) {
        System.out.println(what + ": " + (isSo ? how : "wrong"));
    }

    private static boolean areRecords(List<ByteBuffer> buffers) {
        boolean areRight = buffers.size() == COUNT;
        for (int i = 0; i < buffers.size(); i++) {
            areRight &= buffers.get(i).equals(ByteBuffer.wrap(record(i)));
        }
        return areRight;
    }

    private void tail() {
        List<ByteBuffer> payloads = new ArrayList<>();
        List<ByteBuffer> slices = new ArrayList<>();
        List<ByteBuffer> handed = new ArrayList<>();
        ByteBuffer untilNext = ByteBuffer.allocate(0);
        try (MessageLogger logger = MessageLogger.open(log("messages"))) {
            for (int i = 0; i < COUNT; i++) {
                logger.append(record(i));
            }
        }
        try (Tailer tailer = Tailer.open(log("messages").directory())) {
            while (tailer.next()) {
                payloads.add(tailer.payload());
                slices.add(tailer.payload().slice());
                untilNext = tailer.payloadUntilNext();
            }
            tailer.toStart();
            while (tailer.poll((position, sequence, payload) -> handed.add(payload), 100) > 0) {
                // All of them.
            }
        }
        say("payloads in a list, past close", areRecords(payloads), "right");
        say("slices of payloads", areRecords(slices), "right");
        say("a payload until next", !untilNext.hasRemaining(), "empty after close");
        say("a handler's payloads", handed.stream().noneMatch(ByteBuffer::hasRemaining), "empty after poll");
    }

    private static byte[] key(int i) {
        return ("key " + (10_000 + i)).getBytes(UTF_8);
    }

    private void store() {
        List<ByteBuffer> values = new ArrayList<>();
        List<ByteBuffer> scanned = new ArrayList<>();
        List<ByteBuffer> changed = new ArrayList<>();
        List<ByteBuffer> keys = new ArrayList<>();
        ByteBuffer untilNext;
        StoreConfig config = StoreConfig.builder(log("store")).maxSpaceRatio(0).build();
        StoreLogger store = StoreLogger.open(config);
        put(store, COUNT);
        for (int i = 0; i < COUNT; i++) {
            values.add(Objects.requireNonNull(store.get(key(i))));
        }
        untilNext = Objects.requireNonNull(store.getUntilNext(key(0)));
        try (StoreScan scan = store.scan(KeyRange.all(), Direction.FORWARD)) {
            while (scan.next()) {
                keys.add(scan.key());
                scanned.add(scan.value());
            }
        }
        try (ChangeReader changes = store.changes(0)) {
            while (changes.next()) {
                changed.add(changes.value());
            }
        }
        put(store, COUNT); // what was there is no longer needed
        store.compact(Long.MAX_VALUE);
        boolean isRightAfterCompaction = areRecords(values);
        store.getUntilNext(key(1));
        boolean isAnother = !untilNext.equals(ByteBuffer.wrap(record(0)));
        store.close();
        say("values past close", areRecords(values), "right");
        say("values past compaction", isRightAfterCompaction, "right");
        say("a value until next", isAnother && untilNext.remaining() <= record(1).length, "empty or another");
        boolean areKeys = keys.size() == COUNT && keys.get(7).equals(ByteBuffer.wrap(key(7)));
        say("a scan's keys and values", areKeys && areRecords(scanned), "right");
        say("changes", areRecords(changed), "right");
    }

    private static void put(StoreLogger store, int count) {
        for (int i = 0; i < count; i++) {
            Transaction transaction = store.begin();
            transaction.put(key(i), record(i));
            transaction.commit();
        }
    }

    private void packets() {
        List<ByteBuffer> messages = new ArrayList<>();
        try (PacketLogger logger = PacketLogger.open(log("packets"))) {
            for (int i = 0; i < COUNT; i += 2) {
                Packet packet = logger.packet();
                logger.append(packet.add(record(i)).add(record(i + 1)));
            }
        }
        PacketReader reader = new PacketReader();
        try (Tailer tailer = Tailer.open(
                log("packets").directory(),
                TailerConfig.builder().content(LogContent.PACKETS).build())) {
            while (tailer.next()) {
                reader.wrap(tailer.payloadUntilNext(), tailer.position());
                while (reader.nextMessage()) {
                    messages.add(reader.message());
                }
            }
        }
        say("messages of packets", areRecords(messages), "right");
    }

    /** Writing late neither ends the JVM nor reaches a record that is published. */
    private void claims() {
        List<ByteBuffer> claimed = new ArrayList<>();
        List<ByteBuffer> slices = new ArrayList<>();
        int refused = 0;
        try (MessageLogger logger = MessageLogger.open(log("claims"))) {
            for (int i = 0; i < COUNT; i++) {
                Claim claim = logger.claim(record(i).length);
                claimed.add(claim.payload());
                slices.add(claim.payload().slice());
                claim.payload().put(record(i));
                claim.publish();
                refused += refuses(claimed.get(i)) ? 1 : 0;
                slices.get(i).put(0, (byte) 'X');
            }
        }
        slices.forEach(slice -> slice.put(0, (byte) 'Y'));
        claimed.forEach(payload -> payload.clear());
        List<ByteBuffer> read = new ArrayList<>();
        try (Tailer tailer = Tailer.open(log("claims").directory())) {
            while (tailer.next()) {
                read.add(tailer.payload());
            }
        }
        say("claims", areRecords(read) && refused == COUNT, "harmless");
    }

    private static boolean refuses(ByteBuffer ended) {
        try {
            ended.put((byte) 0);
            return false;
        } catch (BufferOverflowException empty) {
            return true;
        }
    }
}
