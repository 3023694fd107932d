package io.persist.bench.flags;

import com.beust.jcommander.Parameter;
import io.persist.bench.record.Messages;
import io.persist.command.Checks;
import io.persist.command.Text;
import io.persist.log.FileMode;
import io.persist.log.ReadMode;
import java.nio.file.Path;
import java.util.Map;

/** The flags of {@code bin/persist packet}. */
public final class PacketLoggerParameters extends LoggerParameters {

    @Parameter(
            names = {"-l", "--logLocation"},
            order = 20,
            placeholder = "DIR",
            description = "directory in which packets/ is, for . in logs/; a log there is appended to")
    private Path logLocation = Path.of(".");

    @Parameter(
            names = "--logMode",
            order = 21,
            placeholder = "MODE",
            description = "rw, rws or rwd as of RandomAccessFile; the latter two mean --writeMode file")
    private FileMode logMode = FileMode.RW;

    @Parameter(
            names = {"-v", "--populateStorePacketMetadata"},
            arity = 1,
            order = 40,
            description = "fill in the metadata of each packet; it is compared when it is read")
    private boolean populateStorePacketMetadata = false;

    @Parameter(
            names = {"-e", "--readUsingMappedMemory"},
            arity = 1,
            order = 41,
            description = "read mapped files; false reads through the read buffer")
    private boolean readUsingMappedMemory = true;

    @Parameter(
            names = "--tail",
            arity = 1,
            order = 42,
            description = "read on a thread of its own while writing, instead of afterwards")
    private boolean tail = false;

    @Parameter(names = "--messagesPerPacket", order = 43, placeholder = "N", description = "messages in each packet")
    private long messagesPerPacket = 1;

    @Override
    public void validate() {
        super.validate();
        Checks.range("--messagesPerPacket", messagesPerPacket, 1, 1_000_000);
    }

    @Override
    public String logName() {
        return "packets";
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
        return readUsingMappedMemory ? ReadMode.MAPPED : ReadMode.FILE;
    }

    public boolean populatesMetadata() {
        return populateStorePacketMetadata;
    }

    public boolean tail() {
        return tail;
    }

    public int messagesPerPacket() {
        return (int) messagesPerPacket;
    }

    @Override
    void describeContent(Messages messages, Map<String, Object> rows) {
        rows.put("message", messages.describe());
        rows.put("messagesPerPacket", Text.grouped(messagesPerPacket));
        rows.put("populateStorePacketMetadata", populateStorePacketMetadata);
    }

    @Override
    void describeOwn(Map<String, Object> rows) {
        rows.put("readUsingMappedMemory", readUsingMappedMemory);
        rows.put("tail", tail);
    }
}
