package io.persist.matrix.damage;

import static io.persist.matrix.damage.LeftLog.checkThat;

import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.LogFileName;
import io.persist.matrix.Life;
import io.persist.matrix.Subject;
import io.persist.testkit.CrashableStorage;
import java.util.Arrays;
import java.util.Map;

/** Something that is no part of the log, in the place of one of its files. */
final class Replacement {

    private final LeftLog log;
    private final String name;
    private final byte[] content;
    private final String what;

    Replacement(LeftLog log, String name, byte[] content, String what) {
        this.log = log;
        this.name = name;
        this.content = content;
        this.what = what + " in place of " + name;
    }

    /**
     * The log is refused and nothing changed, as always if it is the file in which the log ends, or whole without the
     * file; and then its bytes are there still, unless they are none or zeros, or it is the control block, which
     * nothing depends on.
     */
    void check() {
        log.storage().replace(name, content);
        try {
            boolean isOpened = false;
            try (Life life = log.subject().open(log.storage())) {
                isOpened = true;
                checkThat(!name.equals(log.frames().tail().file()), "the log was opened, to append to this file");
                long last = life.verify(log.entries());
                checkThat(
                        last == LeftLog.ENTRIES,
                        last + " entries are there, " + life.recovery().describe());
            } catch (CorruptLogException | UnsupportedFormatException refused) {
                checkThat(refused.getMessage().contains("file="), "no file is named: " + refused);
                checkThat(isOpened || log.isUnchanged(name), "what was refused was changed");
                checkThat(isOpened || Arrays.equals(log.storage().content(name), content), "it was changed");
            }
            checkThat(name.equals(LogFileName.CONTROL) || isZero() || isKept(), "it is gone");
            checkThat(log.storage().openHandles() == 0, "something is open still");
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError(log.ending() + ", " + what + ": " + failure, failure);
        }
        log.restore();
    }

    private boolean isZero() {
        return Arrays.equals(content, new byte[content.length]);
    }

    private boolean isKept() {
        CrashableStorage storage = log.storage();
        synchronized (storage) { // a life may be open, and renames what it makes
            return storage.list().stream().anyMatch(file -> Arrays.equals(storage.content(file), content));
        }
    }

    /** The file is one that somebody was making: the log is whole without it, and it goes. */
    void checkTemporary() {
        log.storage().replace(name, content);
        try (Life life = log.subject().open(log.storage())) {
            checkThat(life.verify(log.entries()) == LeftLog.ENTRIES, "entries are missing");
            boolean isThere = log.storage().list().contains(name) && isKept();
            checkThat(!isThere || isZero(), "it is there still"); // or the filler makes one of this name just now
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError(log.ending() + ", " + what + ": " + failure, failure);
        }
        log.restore();
    }

    /** {@code files} are no log of {@code subject}: they are refused and left alone. */
    static void checkRefused(Subject subject, Map<String, byte[]> files, String what) {
        CrashableStorage storage = new CrashableStorage();
        files.forEach(storage::replace);
        try (Life life = subject.open(storage)) {
            throw new AssertionError(
                    subject + " took " + what + " for a log: " + life.recovery().describe());
        } catch (CorruptLogException | UnsupportedFormatException refused) {
            files.forEach((name, content) ->
                    checkThat(Arrays.equals(storage.content(name), content), what + ": " + name + " was changed"));
        }
        checkThat(storage.openHandles() == 0, "something is open still");
    }
}
