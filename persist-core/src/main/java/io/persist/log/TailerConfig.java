package io.persist.log;

import static java.util.Objects.requireNonNull;

import io.persist.error.Limits;
import org.jspecify.annotations.Nullable;

/**
 * How a log is read. Immutable; made by {@link #builder}, and of use for any number of tailers of any logs. It says
 * nothing of how the log is kept, which only its writer knows: {@link LogConfig}.
 */
public final class TailerConfig {

    public static final int DEFAULT_READ_BUFFER_LENGTH = 64 << 10;

    private static final int MIN_READ_BUFFER_LENGTH = 64;
    private static final int MAX_READ_BUFFER_LENGTH = 1 << 30;
    private static final TailerConfig DEFAULTS = builder().build();

    private final ReadMode readMode;
    private final int readBufferLength;
    private final ReadScope readScope;
    private final @Nullable LogContent content;

    private TailerConfig(Builder builder) {
        this.readMode = requireNonNull(builder.readMode, "readMode");
        this.readBufferLength = builder.readBufferLength;
        this.readScope = requireNonNull(builder.readScope, "readScope");
        this.content = builder.content;
    }

    /** A configuration with every default. */
    public static Builder builder() {
        return new Builder();
    }

    /** The one with every default. */
    public static TailerConfig defaults() {
        return DEFAULTS;
    }

    /** How the tailer looks into a segment. */
    public ReadMode readMode() {
        return readMode;
    }

    /** The most bytes per read of the file. */
    public int readBufferLength() {
        return readBufferLength;
    }

    /** What the tailer shows: everything published, or only what is synced. */
    public ReadScope readScope() {
        return readScope;
    }

    /** What the log has to hold; null for whatever it does. */
    public @Nullable LogContent content() {
        return content;
    }

    /** Every setting with its value, in one line. */
    @Override
    public String toString() {
        return "TailerConfig[readMode=" + readMode + ", readBufferLength=" + readBufferLength + ", readScope="
                + readScope + ", content=" + (content == null ? "any" : content) + "]";
    }

    /** Collects the settings; each method says the consequence, the default and the limits. */
    public static final class Builder {

        private ReadMode readMode = ReadMode.MAPPED;
        private int readBufferLength = DEFAULT_READ_BUFFER_LENGTH;
        private ReadScope readScope = ReadScope.PUBLISHED;
        private @Nullable LogContent content = LogContent.MESSAGES;

        private Builder() {}

        /** How the tailer looks into a segment. Default {@link ReadMode#MAPPED}. */
        public Builder readMode(ReadMode value) {
            this.readMode = value;
            return this;
        }

        /**
         * The most bytes per read of the file: a tailer begins with 8 KiB, and doubles that as long as it finds more of
         * the log. The buffer is direct memory up to a MiB, and grows to the largest record. Default 64 KiB; 64 B to 1
         * GiB.
         */
        public Builder readBufferLength(int bytes) {
            this.readBufferLength = bytes;
            return this;
        }

        /** What the tailer shows. Default {@link ReadScope#PUBLISHED}: each record at once, synced or not. */
        public Builder readScope(ReadScope value) {
            this.readScope = value;
            return this;
        }

        /**
         * What the log has to hold: a tailer refuses a log of another kind, so that an application does not take, for
         * example, packets for messages. Default {@link LogContent#MESSAGES}. Ignored by a logger's own {@code tailer}
         * methods, because the logger knows what it holds.
         */
        public Builder content(LogContent value) {
            this.content = requireNonNull(value, "content");
            return this;
        }

        /** The tailer reads whatever log it finds: for programs that look at any log. */
        public Builder anyContent() {
            this.content = null;
            return this;
        }

        /** @throws IllegalArgumentException if a value makes no sense */
        public TailerConfig build() {
            Limits.check("readBufferLength", readBufferLength, MIN_READ_BUFFER_LENGTH, MAX_READ_BUFFER_LENGTH);
            return new TailerConfig(this);
        }
    }
}
