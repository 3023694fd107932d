package io.persist.bench.flags;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.bench.measure.WarmUp;
import io.persist.bench.record.Messages;
import io.persist.command.Checks;
import io.persist.command.Text;
import io.persist.command.UsageException;
import io.persist.file.disk.FileReason;
import io.persist.format.Frame;
import io.persist.log.Durability;
import io.persist.log.FileMode;
import io.persist.log.LogConfig;
import io.persist.log.Prefill;
import io.persist.log.ReadMode;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The flags that all programs have, and the configurations that follow from them. The subclasses add those that have
 * another letter in each program, or that only one has.
 */
public abstract class LoggerParameters {

    private static final int MEGABYTE = 1 << 20;

    @ParametersDelegate
    private final CommonParameters common = new CommonParameters();

    @ParametersDelegate
    private final DetachedParameters detached = new DetachedParameters();

    @ParametersDelegate
    private final PayloadParameters payload = new PayloadParameters();

    @Parameter(
            names = {"-n", "--numPerCommit"},
            order = 22,
            placeholder = "N",
            description = "writes per commit; the commit's time is part of the last one's")
    private long numPerCommit = 1;

    @Parameter(
            names = "--writeMode",
            order = 23,
            placeholder = "MODE",
            defaultValueDescription = "by level",
            description = "mapped: mapped memory; file: a buffer, the default where commits are synced")
    private @Nullable WriteMode writeMode;

    @Parameter(
            names = "--segmentSize",
            order = 25,
            placeholder = "MB",
            description = "MB per segment file; the longest message is a little less")
    private long segmentSize = LogConfig.DEFAULT_SEGMENT_LENGTH / MEGABYTE;

    /** What a program leaves in the working directory is in one place, which .gitignore names. */
    private static final Path IN_WORKING_DIRECTORY = Path.of("logs");

    /** What --logLocation says. */
    public abstract Path namedLocation();

    /** The directory below which is all that the program makes. */
    public final Path logLocation() {
        boolean isWorkingDirectory = namedLocation().normalize().toString().isEmpty();
        return isWorkingDirectory ? IN_WORKING_DIRECTORY : namedLocation();
    }

    /** What the log's own directory is called, so that the programs can be given the same location. */
    public abstract String logName();

    /** Where the log is. */
    public final Path logDirectory() {
        return logLocation().resolve(logName());
    }

    /** What is on the disk that the log is on: its directory may be a symbolic link that leads to another one. */
    public final Path placeOfLog() throws IOException {
        Path log = logDirectory();
        return Files.isSymbolicLink(log) && Files.exists(log) ? log.toRealPath() : logLocation();
    }

    /** Where latencies and the record of the run go. */
    public final Path output() {
        Path named = common.output();
        return named == null ? logLocation().resolve("results").resolve(logName()) : named;
    }

    /** Where the checkpoints are, if that is outside of {@link #logDirectory}; else null. */
    public @Nullable Path separateCheckpoints() {
        return null;
    }

    abstract FileMode logMode();

    abstract ReadMode readMode();

    /** What is written, for the parameters block. */
    abstract void describeContent(Messages messages, Map<String, Object> rows);

    /** The flags that only this program has. */
    abstract void describeOwn(Map<String, Object> rows);

    /** Whether only one thread may write if there is no writer thread. */
    boolean attachedIsForOneThread() {
        return true;
    }

    /** Of so many records, the most that take space at one time. */
    public double recordsKept(long count) {
        return count;
    }

    public void validate() {
        common.validate();
        if (attachedIsForOneThread()) {
            detached.requireOneThread();
        }
        detached.validate();
        payload.validate();
        Checks.range("--numPerCommit", numPerCommit, 1, 1_000_000_000);
        Checks.range("--segmentSize", segmentSize, 1, 1024);
        if (writeMode == WriteMode.MAPPED && logMode() != FileMode.RW) {
            throw new UsageException(
                    "--logMode " + lower(logMode()) + " means nothing for --writeMode mapped; use --writeMode file");
        }
        requireDirectory("--logLocation", logLocation());
        if (common.cleansUp() && isBelow(logDirectory(), output())) {
            throw new UsageException("--output " + output() + " is inside of the log's directory " + logDirectory()
                    + ", which --cleanup deletes; name another directory, or leave --cleanup out");
        }
    }

    /** Whether {@code path} is {@code directory} or inside of it, however both are written. */
    static boolean isBelow(Path directory, Path path) {
        return path.toAbsolutePath()
                .normalize()
                .startsWith(directory.toAbsolutePath().normalize());
    }

    static void requireDirectory(String flag, Path path) {
        String why = FileReason.ofNoDirectory(path);
        if (!why.isEmpty() && Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new UsageException(flag + " " + path + " is no directory (" + why + "); name one, or one to be made");
        }
        String whyNotWritten = why.isEmpty() ? FileReason.ofNoWriting(path) : "";
        if (!whyNotWritten.isEmpty()) {
            throw new UsageException(
                    flag + " " + path + " cannot be written (" + whyNotWritten + "); name a directory that can");
        }
    }

    /**
     * Whether each record fits a segment.
     *
     * @param noun what a record is called
     * @param maxLength bytes of the longest one
     * @param remedy what to give instead of a larger segment
     */
    public void validateLength(String noun, long maxLength, String remedy) {
        int max = Frame.maxPayload(segmentLength());
        if (maxLength > max) {
            throw new UsageException("--segmentSize " + segmentSize + " holds " + noun + "s of " + Text.grouped(max)
                    + " bytes at most, and the longest has " + Text.grouped(maxLength)
                    + "; give a larger --segmentSize, up to 1024, or " + remedy);
        }
    }

    public CommonParameters common() {
        return common;
    }

    public DetachedParameters detached() {
        return detached;
    }

    public PayloadParameters payload() {
        return payload;
    }

    public long numPerCommit() {
        return numPerCommit;
    }

    public int segmentLength() {
        return (int) segmentSize * MEGABYTE;
    }

    /** How the measured log is kept. */
    public LogConfig logConfig() {
        return builder(logDirectory())
                .segmentLength(segmentLength())
                .initialLength(common.initialLength())
                .prefill(common.prefill())
                .build();
    }

    /** The same for the scratch log, but of short segments and without much filled ahead, so that it stays small. */
    public LogConfig scratchConfig(int maxLength) {
        int segmentLength = WarmUp.segmentLength(segmentLength(), maxLength);
        return builder(WarmUp.directory(logLocation()))
                .segmentLength(segmentLength)
                .initialLength(segmentLength)
                .prefill(Prefill.BACKGROUND)
                .build();
    }

    /** How it is read, and the scratch log too. */
    public TailerConfig tailerConfig() {
        return TailerConfig.builder()
                .readMode(readMode())
                .readBufferLength(common.readBufferLength())
                .build();
    }

    private LogConfig.Builder builder(Path directory) {
        LogConfig.Builder builder = LogConfig.builder(directory);
        if (writeMode != null) {
            builder.writeMode(writeMode);
        }
        return builder.fileMode(logMode())
                .writeBufferLength(common.writeBufferLength())
                .durability(common.durability())
                .syncInterval(Duration.ofMillis(common.syncIntervalMs()));
    }

    /** The mode of the log, and why it is that one if no flag names it. */
    private String describeWriteMode(WriteMode effective) {
        String mode = lower(effective) + (effective == WriteMode.FILE ? ", buffer of " + written() : "");
        if (writeMode != null) {
            return mode;
        }
        if (logMode() != FileMode.RW) {
            return mode + ", as --logMode " + lower(logMode()) + " wants it";
        }
        boolean isSynced = common.durability() == Durability.SYNCED;
        return mode + (isSynced ? ", the default where commits are synced" : ", the default where none is synced");
    }

    private String written() {
        return common.writeBufferLength() + " bytes";
    }

    /** Names and values for the parameters block. */
    public Map<String, Object> describe(Messages messages, long count) {
        Map<String, Object> rows = new LinkedHashMap<>();
        rows.put("count", Text.grouped(count));
        describeContent(messages, rows);
        rows.put("logLocation", logLocation() + ", the log in " + logDirectory());
        rows.put("logMode", lower(logMode()));
        WriteMode effective = logConfig().writeMode();
        boolean writesFile = effective == WriteMode.FILE;
        boolean readsFile = readMode() == ReadMode.FILE;
        String read = common.readBufferLength() + " bytes";
        rows.put("writeMode", describeWriteMode(effective));
        rows.put("readMode", lower(readMode()) + (readsFile ? ", buffer of " + read : ""));
        if (!writesFile) {
            rows.put("writeBufferSize", written() + Text.unused("writeMode mapped"));
        }
        if (!readsFile) {
            rows.put("readBufferSize", read + Text.unused("files are read mapped"));
        }
        rows.put("segmentSize", segmentSize + " MB");
        rows.put("numPerCommit", numPerCommit);
        describeOwn(rows);
        common.describe(rows);
        if (!writesFile && common.durability() == Durability.FLUSHED) {
            rows.put("flushOnCommit", true + Text.unused("writeMode mapped, where each append is with the OS at once"));
        }
        detached.describe(rows);
        return rows;
    }

    static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
