package io.persist.bench;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.format.Frame;
import io.persist.log.FileMode;
import io.persist.log.LogConfig;
import io.persist.log.Prefill;
import io.persist.log.ReadMode;
import io.persist.log.WriteMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The flags of {@link MessageLoggerMain}, and the configurations that follow from them. */
final class MessageLoggerParameters {

    private static final int MEGABYTE = 1 << 20;

    @ParametersDelegate
    private final CommonParameters common = new CommonParameters();

    @ParametersDelegate
    private final DetachedParameters detached = new DetachedParameters();

    @ParametersDelegate
    private final PayloadParameters payload = new PayloadParameters();

    @Parameter(
            names = {"-k", "--logLocation"},
            order = 20,
            placeholder = "DIR",
            description = "directory of the log; a log that is there is appended to")
    private Path logLocation = Path.of(".");

    @Parameter(
            names = {"-m", "--logMode"},
            order = 21,
            placeholder = "MODE",
            description = "rw, rws or rwd as of RandomAccessFile; the latter two mean --writeMode file")
    private FileMode logMode = FileMode.RW;

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
            defaultValueDescription = "mapped",
            description = "mapped: store into mapped memory; file: gather in a buffer and write")
    private @Nullable WriteMode writeMode;

    @Parameter(
            names = "--readMode",
            order = 24,
            placeholder = "MODE",
            defaultValueDescription = "mapped",
            description = "mapped, or file: through the read buffer")
    private ReadMode readMode = ReadMode.MAPPED;

    @Parameter(
            names = "--segmentSize",
            order = 25,
            placeholder = "MB",
            description = "MB per segment file; the longest message is a little less")
    private long segmentSize = LogConfig.DEFAULT_SEGMENT_LENGTH / MEGABYTE;

    void validate() {
        common.validate();
        detached.validate();
        payload.validate();
        Checks.range("--numPerCommit", numPerCommit, 1, 1_000_000_000);
        Checks.range("--segmentSize", segmentSize, 1, 1024);
        if (writeMode == WriteMode.MAPPED && logMode != FileMode.RW) {
            String mode = logMode.name().toLowerCase(Locale.ROOT);
            throw new UsageException(
                    "--logMode " + mode + " means nothing for --writeMode mapped; use --writeMode file");
        }
        if (Files.exists(logLocation) && !Files.isDirectory(logLocation)) {
            throw new UsageException("--logLocation " + logLocation + " is no directory; name one, or one to be made");
        }
    }

    /** Whether each message fits a segment. */
    void validate(Messages messages) {
        int max = Frame.maxPayload(segmentLength());
        if (messages.maxLength() > max) {
            throw new UsageException("--segmentSize " + segmentSize + " holds messages of " + Text.grouped(max)
                    + " bytes at most, and the longest has " + Text.grouped(messages.maxLength())
                    + "; give a larger --segmentSize, up to 1024, or shorter messages");
        }
    }

    CommonParameters common() {
        return common;
    }

    DetachedParameters detached() {
        return detached;
    }

    PayloadParameters payload() {
        return payload;
    }

    Path logLocation() {
        return logLocation;
    }

    long numPerCommit() {
        return numPerCommit;
    }

    int segmentLength() {
        return (int) segmentSize * MEGABYTE;
    }

    /** How the measured log is kept. */
    LogConfig logConfig() {
        return builder(logLocation)
                .segmentLength(segmentLength())
                .initialLength(common.initialLength())
                .prefill(common.prefill())
                .build();
    }

    /** The same for the scratch log, but of short segments and without much filled ahead, so that it stays small. */
    LogConfig scratchConfig(int maxLength) {
        int segmentLength = WarmUp.segmentLength(segmentLength(), maxLength);
        return builder(WarmUp.directory(logLocation))
                .segmentLength(segmentLength)
                .initialLength(segmentLength)
                .prefill(Prefill.BACKGROUND)
                .build();
    }

    private LogConfig.Builder builder(Path directory) {
        return LogConfig.builder(directory)
                .writeMode(effectiveWriteMode())
                .fileMode(logMode)
                .writeBufferLength(common.writeBufferLength())
                .readMode(readMode)
                .readBufferLength(common.readBufferLength())
                .durability(common.durability())
                .syncIntervalMs(common.syncIntervalMs());
    }

    private WriteMode effectiveWriteMode() {
        if (writeMode != null) {
            return writeMode;
        }
        return logMode == FileMode.RW ? WriteMode.MAPPED : WriteMode.FILE;
    }

    /** Names and values for the parameters block. */
    Map<String, Object> describe(Messages messages, long count) {
        Map<String, Object> rows = new LinkedHashMap<>();
        rows.put("count", Text.grouped(count));
        rows.put("message", messages.describe());
        rows.put("logLocation", logLocation);
        rows.put("logMode", lower(logMode));
        boolean file = effectiveWriteMode() == WriteMode.FILE;
        rows.put(
                "writeMode",
                lower(effectiveWriteMode()) + (file ? ", buffer of " + common.writeBufferLength() + " bytes" : ""));
        rows.put(
                "readMode",
                lower(readMode)
                        + (readMode == ReadMode.FILE ? ", buffer of " + common.readBufferLength() + " bytes" : ""));
        rows.put("segmentSize", segmentSize + " MB");
        rows.put("numPerCommit", numPerCommit);
        common.describe(rows);
        detached.describe(rows);
        return rows;
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
