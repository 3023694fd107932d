package io.persist.kafka;

import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the stores of an application. They are entries of the configuration that Kafka Streams is given, and
 * hold for all its stores. Values are strings or numbers. A wrong one is a {@link ConfigException} that names the key,
 * the value and the range, when the first store is opened; with {@link PersistDslStoreSuppliers} when the topology is
 * made. So is a key that begins with {@code persist.} and is none of them.
 */
public final class PersistSettings {

    /**
     * Length of a file of the log, in bytes: 65536 to 1073741824, a multiple of 4096; 16777216 by default. A key with
     * its value has to fit one. Each store of each partition takes at least two files.
     */
    public static final String SEGMENT_LENGTH = "persist.segment.length";

    /**
     * What each commit of Kafka waits for: {@code buffered}, {@code flushed} (default) or {@code synced}. Flushed
     * survives {@code kill -9}; synced survives a power cut too, and waits for the device.
     */
    public static final String DURABILITY = "persist.durability";

    /** Bytes on disk per byte that is needed, above which compaction works: 1.1 to 100; 2 by default. */
    public static final String MAX_SPACE_RATIO = "persist.max.space.ratio";

    /** The most bytes per second that compaction reads and writes: from 1048576; 67108864 by default. */
    public static final String COMPACTION_BYTES_PER_SECOND = "persist.compaction.bytes.per.second";

    /**
     * The least bytes of log between two checkpoints of the index, 0 to 1099511627776; 268435456 by default. Opening
     * after a crash replays about as much.
     */
    public static final String CHECKPOINT_MIN_LOG_BYTES = "persist.checkpoint.min.log.bytes";

    private static final String PREFIX = "persist.";
    private static final List<String> KEYS =
            List.of(SEGMENT_LENGTH, DURABILITY, MAX_SPACE_RATIO, COMPACTION_BYTES_PER_SECOND, CHECKPOINT_MIN_LOG_BYTES);

    private static final long DEFAULT_SEGMENT_LENGTH = 16L << 20;
    private static final long MIN_SEGMENT_LENGTH = 64L << 10;
    private static final long MAX_SEGMENT_LENGTH = 1L << 30;
    private static final int SEGMENT_LENGTH_UNIT = 4096;
    private static final double DEFAULT_SPACE_RATIO = 2;
    private static final long DEFAULT_COMPACTION_BYTES = 64L << 20;
    private static final long DEFAULT_CHECKPOINT_BYTES = 256L << 20;

    private final int segmentLength;
    private final Durability durability;
    private final double maxSpaceRatio;
    private final long compactionBytesPerSecond;
    private final long checkpointMinLogBytes;

    private PersistSettings(Map<String, ?> configs) {
        this.segmentLength =
                (int) number(configs, SEGMENT_LENGTH, DEFAULT_SEGMENT_LENGTH, MIN_SEGMENT_LENGTH, MAX_SEGMENT_LENGTH);
        if (segmentLength % SEGMENT_LENGTH_UNIT != 0) {
            throw new ConfigException(
                    SEGMENT_LENGTH, segmentLength, "it has to be a multiple of " + SEGMENT_LENGTH_UNIT);
        }
        this.durability = durability(configs.get(DURABILITY));
        this.maxSpaceRatio = ratio(configs.get(MAX_SPACE_RATIO));
        this.compactionBytesPerSecond =
                number(configs, COMPACTION_BYTES_PER_SECOND, DEFAULT_COMPACTION_BYTES, 1L << 20, Long.MAX_VALUE);
        this.checkpointMinLogBytes = number(configs, CHECKPOINT_MIN_LOG_BYTES, DEFAULT_CHECKPOINT_BYTES, 0, 1L << 40);
    }

    /**
     * The settings in Kafka's configuration; its other entries are left alone.
     *
     * @throws ConfigException if a value is out of its range, or a key is not known
     */
    static PersistSettings of(Map<String, ?> configs) {
        for (Map.Entry<String, ?> entry : configs.entrySet()) {
            String key = entry.getKey();
            if (key.startsWith(PREFIX) && !KEYS.contains(key)) {
                throw new ConfigException(
                        key,
                        entry.getValue(),
                        "there is no such setting; the nearest one is " + NearestKey.of(key, KEYS) + ", all are "
                                + KEYS);
            }
        }
        return new PersistSettings(configs);
    }

    /** What a commit of Kafka waits for. */
    Durability durability() {
        return durability;
    }

    /** The configuration of the store in {@code directory}. Single writes never wait: commits do. */
    StoreConfig storeIn(Path directory) {
        LogConfig log = LogConfig.builder(directory)
                .segmentLength(segmentLength)
                .durability(Durability.BUFFERED)
                .build();
        return StoreConfig.builder(log)
                .maxSpaceRatio(maxSpaceRatio)
                .compactionBytesPerSecond(compactionBytesPerSecond)
                .checkpointMinLogBytes(checkpointMinLogBytes)
                .build();
    }

    private static long number(Map<String, ?> configs, String key, long byDefault, long min, long max) {
        Object given = configs.get(key);
        if (given == null) {
            return byDefault;
        }
        long value;
        try {
            value = Long.parseLong(given.toString().trim());
        } catch (NumberFormatException e) {
            throw new ConfigException(key, given, "it has to be a whole number from " + min + " to " + max);
        }
        if (value < min || value > max) {
            throw new ConfigException(key, given, "it has to be from " + min + " to " + max);
        }
        return value;
    }

    private static double ratio(@Nullable Object given) {
        if (given == null) {
            return DEFAULT_SPACE_RATIO;
        }
        double value;
        try {
            value = Double.parseDouble(given.toString().trim());
        } catch (NumberFormatException e) {
            value = Double.NaN;
        }
        if (!(value >= 1.1 && value <= 100)) {
            throw new ConfigException(MAX_SPACE_RATIO, given, "it has to be from 1.1 to 100");
        }
        return value;
    }

    private static Durability durability(@Nullable Object given) {
        if (given == null) {
            return Durability.FLUSHED;
        }
        String name = given.toString().trim().toUpperCase(Locale.ROOT);
        for (Durability level : Durability.values()) {
            if (level.name().equals(name)) {
                return level;
            }
        }
        throw new ConfigException(
                DURABILITY,
                given,
                "it has to be one of " + Arrays.toString(Durability.values()).toLowerCase(Locale.ROOT));
    }
}
