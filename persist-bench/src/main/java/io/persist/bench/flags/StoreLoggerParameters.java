package io.persist.bench.flags;

import com.beust.jcommander.Parameter;
import io.persist.bench.record.KeyPattern;
import io.persist.bench.record.Messages;
import io.persist.command.Checks;
import io.persist.command.Text;
import io.persist.command.UsageException;
import io.persist.format.TransactionLayout;
import io.persist.log.FileMode;
import io.persist.log.LogConfig;
import io.persist.log.ReadMode;
import io.persist.store.StoreConfig;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The flags of {@code bin/persist storelogger}. */
public final class StoreLoggerParameters extends LoggerParameters {

    private static final long MEGABYTE = 1 << 20;

    /** Space per live byte at the worst moment, with compaction as it is by default. */
    private static final double WORST_SPACE_RATIO = 2;

    /** What random keys put last is kept in an array, in so much of the heap at most. */
    private static final double PART_OF_HEAP = 0.5;

    private static final long MAX_RANDOM_KEYS = 1_000_000_000;

    @Parameter(
            names = {"-l", "--logLocation"},
            order = 20,
            placeholder = "DIR",
            description = "directory in which store/ is, for . in logs/; a store there is gone on with")
    private Path logLocation = Path.of(".");

    @Parameter(
            names = {"-o", "--logMode"},
            order = 21,
            placeholder = "MODE",
            description = "rw, rws or rwd as of RandomAccessFile; the latter two mean --writeMode file")
    private FileMode logMode = FileMode.RW;

    @Parameter(
            names = "--readMode",
            order = 24,
            placeholder = "MODE",
            defaultValueDescription = "mapped",
            description = "of reading by log: mapped, or file: through the read buffer")
    private ReadMode readMode = ReadMode.MAPPED;

    @Parameter(
            names = {"-k", "--lazyDeserialize"},
            arity = 1,
            order = 50,
            description = "compare bytes only when reading; false makes an object of each value too")
    private boolean lazyDeserialize = true;

    @Parameter(
            names = "--keys",
            order = 51,
            placeholder = "N",
            defaultValueDescription = "count",
            description = "different keys; if --count is larger, values are replaced")
    private @Nullable Long keys;

    @Parameter(
            names = "--keyOrder",
            order = 52,
            placeholder = "HOW",
            description = "sequential, or random: each key equally likely")
    private KeyPattern.Order keyOrder = KeyPattern.Order.SEQUENTIAL;

    @Parameter(
            names = "--chkptIntervalPctSnapshot",
            order = 53,
            placeholder = "PERCENT",
            description = "log growth over the last checkpoint before the next one; 0 for none")
    private long chkptIntervalPctSnapshot = StoreConfig.DEFAULT_CHECKPOINT_PERCENT;

    @Parameter(
            names = "--chkptIntervalMinLogSize",
            order = 54,
            placeholder = "MB",
            description = "MB of log before the next checkpoint at least")
    private long chkptIntervalMinLogSize = StoreConfig.DEFAULT_CHECKPOINT_MIN_LOG_BYTES / MEGABYTE;

    @Parameter(
            names = "--checkpointLocation",
            order = 55,
            placeholder = "DIR",
            defaultValueDescription = "log's",
            description = "directory of the checkpoints")
    private @Nullable Path checkpointLocation;

    @Parameter(
            names = "--checkpointRate",
            order = 56,
            placeholder = "MB/s",
            description = "the most that checkpoints write")
    private long checkpointRate = StoreConfig.DEFAULT_BYTES_PER_SECOND / MEGABYTE;

    @Parameter(
            names = "--maxSpaceRatio",
            order = 57,
            placeholder = "N",
            description = "space per live byte above which compaction works; 0 for none")
    private double maxSpaceRatio = StoreConfig.DEFAULT_MAX_SPACE_RATIO;

    @Parameter(
            names = "--compactionRate",
            order = 58,
            placeholder = "MB/s",
            description = "what compaction reads and copies; more if garbage is made faster")
    private long compactionRate = StoreConfig.DEFAULT_BYTES_PER_SECOND / MEGABYTE;

    @Override
    public void validate() {
        super.validate();
        if (keys != null) {
            Checks.range("--keys", keys, 1, 1e10);
        }
        Checks.range("--chkptIntervalPctSnapshot", chkptIntervalPctSnapshot, 0, 1000);
        Checks.range("--chkptIntervalMinLogSize", chkptIntervalMinLogSize, 0, MEGABYTE);
        Checks.range("--checkpointRate", checkpointRate, 1, MEGABYTE);
        Checks.range("--compactionRate", compactionRate, 1, MEGABYTE);
        if (maxSpaceRatio != 0) {
            Checks.range("--maxSpaceRatio", maxSpaceRatio, 1.1, 100);
        }
        if (checkpointLocation != null) {
            requireDirectory("--checkpointLocation", checkpointLocation);
        }
    }

    /** Compaction takes away what was replaced, and comes late at the worst moment. */
    @Override
    public double recordsKept(long count) {
        if (keys == null || maxSpaceRatio == 0) {
            return count;
        }
        return Math.min(count, Math.max(WORST_SPACE_RATIO, maxSpaceRatio) * keys);
    }

    /** Any thread may write to a store that is attached. */
    @Override
    boolean attachedIsForOneThread() {
        return false;
    }

    /** Which keys so many puts have. */
    public KeyPattern keyPattern(long count) {
        return keyPattern(count, Runtime.getRuntime().maxMemory());
    }

    KeyPattern keyPattern(long count, long heapBytes) {
        int producers = detached().producers();
        long wanted = keys == null ? Math.max(count, producers) : keys;
        if (wanted < producers) {
            throw new UsageException("--keys " + wanted + " is less than --producers " + producers
                    + ", and each producer has keys of its own; give at least as many");
        }
        if (keyOrder == KeyPattern.Order.RANDOM && wanted > MAX_RANDOM_KEYS) {
            throw new UsageException("--keys " + wanted + " is too many for --keyOrder random; give at most "
                    + Text.grouped(MAX_RANDOM_KEYS));
        }
        if (keyOrder == KeyPattern.Order.RANDOM && wanted * Long.BYTES > PART_OF_HEAP * heapBytes) {
            throw new UsageException("--keys " + wanted + " take " + Text.bytes(wanted * Long.BYTES)
                    + " of a heap of " + Text.bytes(heapBytes) + " with --keyOrder random, to check what is read;"
                    + " give the JVM a larger -Xmx, or fewer --keys");
        }
        return new KeyPattern(wanted, keyOrder, producers);
    }

    /** Bytes that a transaction needs whose values have {@code valueLength} bytes. */
    public long transactionLength(long valueLength) {
        return TransactionSpace.bytes(numPerCommit(), KeyPattern.KEY_LENGTH, valueLength);
    }

    /** Bytes that a value of {@code valueLength} bytes takes in the log, with its key and its part of the frames. */
    public double putLength(double valueLength) {
        return TransactionSpace.entryBytes(KeyPattern.KEY_LENGTH, Math.round(valueLength))
                + (double) TransactionLayout.HEADER_LENGTH / numPerCommit();
    }

    /** How the store over {@code log} is kept; a scratch log has its checkpoints beside it. */
    public StoreConfig storeConfig(LogConfig log) {
        boolean measured = log.directory().equals(logDirectory());
        return StoreConfig.builder(log)
                .checkpointDirectory(measured && checkpointLocation != null ? checkpointLocation : log.directory())
                .checkpointPercent((int) chkptIntervalPctSnapshot)
                .checkpointMinLogBytes(chkptIntervalMinLogSize * MEGABYTE)
                .checkpointBytesPerSecond(checkpointRate * MEGABYTE)
                .maxSpaceRatio(maxSpaceRatio)
                .compactionBytesPerSecond(compactionRate * MEGABYTE)
                .build();
    }

    public boolean lazyDeserialize() {
        return lazyDeserialize;
    }

    @Override
    public String logName() {
        return "store";
    }

    @Override
    public Path namedLocation() {
        return logLocation;
    }

    @Override
    public @Nullable Path separateCheckpoints() {
        return checkpointLocation == null || isBelow(logDirectory(), checkpointLocation) ? null : checkpointLocation;
    }

    @Override
    FileMode logMode() {
        return logMode;
    }

    @Override
    ReadMode readMode() {
        return readMode;
    }

    @Override
    void describeContent(Messages messages, Map<String, Object> rows) {
        rows.put("message", messages.describe());
        rows.put("keys", (keys == null ? "as many as messages" : Text.grouped(keys)) + ", " + lower(keyOrder));
    }

    @Override
    void describeOwn(Map<String, Object> rows) {
        rows.put("lazyDeserialize", lazyDeserialize);
        boolean checkpoints = chkptIntervalPctSnapshot > 0;
        rows.put(
                "checkpoints",
                checkpoints
                        ? "after " + chkptIntervalPctSnapshot + " percent and " + chkptIntervalMinLogSize
                                + " MB of log, at " + checkpointRate + " MB/s, in "
                                + (checkpointLocation == null ? logDirectory() : checkpointLocation)
                        : "none");
        rows.put(
                "compaction",
                maxSpaceRatio == 0
                        ? "none"
                        : "above " + Text.decimal(maxSpaceRatio) + " bytes per live byte, at " + compactionRate
                                + " MB/s");
    }
}
