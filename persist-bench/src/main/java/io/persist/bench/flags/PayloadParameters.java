package io.persist.bench.flags;

import com.beust.jcommander.Parameter;
import io.persist.bench.record.CarMessage;
import io.persist.bench.record.FileMessages;
import io.persist.bench.record.Messages;
import io.persist.bench.record.PatternMessages;
import io.persist.command.Checks;
import io.persist.command.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The flags that choose what is written: the message Car unless told otherwise. */
public final class PayloadParameters {

    @Parameter(
            names = "--messageSize",
            order = 30,
            placeholder = "BYTES",
            defaultValueDescription = "Car",
            description = "bytes per message, of a pattern; Car is SBE's example message, 176 bytes")
    private @Nullable Long messageSize;

    @Parameter(
            names = "--messages",
            order = 31,
            placeholder = "FILE",
            defaultValueDescription = "none",
            description = "a file with the messages; gone through again if --count is larger")
    private @Nullable Path messages;

    @Parameter(
            names = "--messagesFormat",
            order = 32,
            placeholder = "FORMAT",
            defaultValueDescription = "lines",
            description = "lines, or length4: a big-endian 4-byte length before each message")
    private FileMessages.@Nullable Format messagesFormat;

    void validate() {
        if (messagesFormat != null && messages == null) {
            throw new UsageException("--messagesFormat " + messagesFormat.name().toLowerCase(Locale.ROOT)
                    + " is of a file that --messages names; give that too, or leave it out");
        }
        if (messageSize != null) {
            Checks.range("--messageSize", messageSize, 1, 1 << 30);
            if (messages != null) {
                throw new UsageException("--messageSize " + messageSize + " and --messages " + messages
                        + " exclude each other; leave one out");
            }
        }
    }

    /** The messages, and how many of them are a run if --count does not say it. */
    public Payload load() throws IOException {
        if (messages != null) {
            // The bytes, and twice as much again for the bounds of the shortest lines, leave the run a quarter.
            long maxBytes = Math.min(Runtime.getRuntime().maxMemory() / 4, Integer.MAX_VALUE - 16);
            FileMessages.Format format = messagesFormat == null ? FileMessages.Format.LINES : messagesFormat;
            FileMessages loaded = FileMessages.load(messages, format, maxBytes);
            return new Payload(loaded, (long) loaded.count());
        }
        if (messageSize != null) {
            return new Payload(new PatternMessages(messageSize.intValue()), null);
        }
        return new Payload(new CarMessage(), null);
    }

    /** What is written. */
    public record Payload(Messages messages, @Nullable Long suggestedCount) {}
}
