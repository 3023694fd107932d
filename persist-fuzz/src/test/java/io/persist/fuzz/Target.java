package io.persist.fuzz;

import io.persist.testkit.UncaughtErrors;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** What is let loose on hostile files. The order is part of what an input means: new ones go to the end. */
enum Target {
    /** Whatever reads a log and may not change it: tailers, the monitor, verification. */
    READING(Logs.ALL, ReadingUse::new),
    /** A writer opens the log, writes and opens it again. */
    RECOVERY(Logs.ALL, RecoveryUse::new),
    /** A store and a view of it: the log, its transactions and the checkpoints, of version 2. */
    STORE(List.of("store-v2-closed", "store-v2-killed"), StoreUse::new),
    /** A tailer with a name, the control block and retention. */
    CURSORS(List.of("messages-closed", "messages-killed"), CursorUse::new),
    /** An archive is verified and unpacked. */
    ARCHIVE(List.of("archive"), ArchiveUse::new),
    /** Two threads, two writers, readers that keep what they read, and a segment that is cut under its writer. */
    MISUSE(List.of("messages-closed", "messages-killed"), MisuseUse::new);

    private static final class Logs {
        static final List<String> ALL = List.of(
                "messages-closed",
                "messages-killed",
                "packets-closed",
                "packets-killed",
                "store-closed",
                "store-killed");
    }

    /** A recovery of each hostile file would say what it cut. The JDK forgets a logger that nobody refers to. */
    private static final Logger SILENCED = Logger.getLogger("io.persist");

    static {
        SILENCED.setLevel(Level.OFF);
    }

    private interface Opener {
        Use open(FuzzInput input, Disk disk);
    }

    private final List<String> images;
    private final Opener opener;

    Target(List<String> images, Opener opener) {
        this.images = images;
        this.opener = opener;
    }

    /** The images that an input for this target begins with. */
    List<String> images() {
        return images;
    }

    /**
     * Does what {@code bytes} say, for whichever target.
     *
     * @throws AssertionError if the library does not stand it
     */
    static Target run(byte[] bytes) {
        FuzzInput input = FuzzInput.of(bytes);
        Memory.check(() -> input.target().use(input));
        return input.target();
    }

    @SuppressWarnings("try") // what it is for happens when it is closed
    private void use(FuzzInput input) {
        try (UncaughtErrors errors = new UncaughtErrors()) {
            Disk disk = new Disk(input.files(), input.settings());
            opener.open(input, disk).run();
            disk.checkClosed();
        }
    }
}
