package io.persist.store.engine;

import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.FileMode;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/** Random keys, values and configurations for a store of small segments. */
final class StoreDraws {

    static final int SEGMENT_LENGTH = 4096;

    private final Random random;

    /** How many different keys there are of each shape. */
    private final int keys;

    private int values;

    /** How a store is opened: {@code detached} is null if it is attached. */
    record Opening(StoreConfig config, DetachedConfig detached) {

        @Override
        public String toString() {
            return config.log().writeMode() + (detached == null ? " attached" : " detached");
        }
    }

    StoreDraws(Random random) {
        this.random = random;
        this.keys = 4 + random.nextInt(40);
    }

    Opening opening(WriteMode mode, boolean isDetached, OldValues oldValues) {
        FileMode fileMode = mode == WriteMode.MAPPED ? FileMode.RW : FileMode.values()[random.nextInt(3)];
        LogConfig log = LogConfig.builder(Path.of("log"))
                .segmentLength(SEGMENT_LENGTH)
                .writeMode(mode)
                .fileMode(fileMode)
                .writeBufferLength(64 << random.nextInt(8))
                .durability(Durability.BUFFERED)
                .build();
        StoreConfig config = StoreConfig.builder(log)
                .checkpointPercent(0)
                .maxSpaceRatio(0)
                .compactionStepBytes(4096)
                .oldValues(oldValues)
                .build();
        DetachedConfig queue =
                DetachedConfig.builder().queueDepth(1 << random.nextInt(6)).build();
        return new Opening(config, isDetached ? queue : null);
    }

    Opening anyOpening(OldValues oldValues) {
        WriteMode mode = WriteMode.values()[random.nextInt(WriteMode.values().length)];
        return opening(mode, random.nextInt(4) == 0, oldValues);
    }

    /** Often one of a few; some begin others, and the bytes at both ends of the order are among them. */
    byte[] key() {
        int n = random.nextInt(keys);
        return switch (random.nextInt(10)) {
            case 0, 1, 2 -> new byte[] {(byte) ('a' + n % 3)};
            case 3, 4 -> ("task/" + n).getBytes(StandardCharsets.US_ASCII);
            case 5 -> ByteBuffer.allocate(8).putLong(n * 0x9E37_79B9_7F4A_7C15L).array();
            case 6 -> filled(1 + n % 5, 0xFF);
            case 7 -> filled(1 + n % 5, 0);
            case 8 -> n % 7 == 0 ? filled(1024 - n, 'z') : new byte[] {'a', (byte) n};
            default -> ("run/" + n % 5 + "/" + n).getBytes(StandardCharsets.US_ASCII);
        };
    }

    private static byte[] filled(int length, int value) {
        byte[] key = new byte[length];
        Arrays.fill(key, (byte) value);
        return key;
    }

    /** From nothing to more than a quarter of a segment. */
    byte[] value() {
        byte[] value = new byte
                [switch (random.nextInt(10)) {
                    case 0 -> 0;
                    case 1, 2, 3, 4, 5 -> random.nextInt(40);
                    case 6, 7, 8 -> random.nextInt(400);
                    default -> random.nextInt(SEGMENT_LENGTH * 2 / 5);
                }];
        random.nextBytes(value);
        return value;
    }

    /** A value that no other change had. */
    byte[] newValue() {
        return ByteBuffer.allocate(8 + random.nextInt(60)).putLong(++values).array();
    }

    /** Some bytes near a key, for ranges and for keys that are not there. */
    byte[] nearKey() {
        byte[] key = key();
        return switch (random.nextInt(3)) {
            case 0 -> key;
            case 1 -> Arrays.copyOf(key, 1 + random.nextInt(key.length));
            default -> Arrays.copyOf(key, Math.min(1024, key.length + 1));
        };
    }
}
