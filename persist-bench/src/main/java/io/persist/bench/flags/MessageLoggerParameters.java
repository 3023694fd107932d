package io.persist.bench.flags;

import com.beust.jcommander.Parameter;
import io.persist.bench.record.Messages;
import io.persist.log.FileMode;
import io.persist.log.ReadMode;
import java.nio.file.Path;
import java.util.Map;

/** The flags of {@code bin/persist message}. */
public final class MessageLoggerParameters extends LoggerParameters {

    @Parameter(
            names = {"-k", "--logLocation"},
            order = 20,
            placeholder = "DIR",
            description = "directory in which messages/ is, for . in logs/; a log there is appended to")
    private Path logLocation = Path.of(".");

    @Parameter(
            names = {"-m", "--logMode"},
            order = 21,
            placeholder = "MODE",
            description = "rw, rws or rwd as of RandomAccessFile; the latter two mean --writeMode file")
    private FileMode logMode = FileMode.RW;

    @Parameter(
            names = "--readMode",
            order = 24,
            placeholder = "MODE",
            defaultValueDescription = "mapped",
            description = "mapped, or file: through the read buffer")
    private ReadMode readMode = ReadMode.MAPPED;

    @Override
    public String logName() {
        return "messages";
    }

    @Override
    public Path namedLocation() {
        return logLocation;
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
    }

    @Override
    void describeOwn(Map<String, Object> rows) {}
}
