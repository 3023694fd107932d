package io.persist.matrix.control;

import io.persist.error.PersistException;
import io.persist.file.Storage;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.file.WriterLock;
import io.persist.format.Frame;
import io.persist.format.FrameWriter;
import io.persist.log.segment.LogFiles;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.util.Arrays;
import java.util.zip.CRC32C;
import net.bytebuddy.asm.Advice;

/** What broken builds do in place of the right thing, or besides. Its code becomes part of the library's methods. */
public final class Substitutes {

    private Substitutes() {}

    // ---- in place of calls

    /** {@link Storage#tryLock} that everybody gets. */
    public static WriterLock lockForAll(Storage storage, String name) throws IOException {
        if (!storage.list().contains(name)) {
            storage.create(name).close();
        }
        return new WriterLock() {

            @Override
            public boolean isInPlace() {
                return true;
            }

            @Override
            public void close() {
                // There is nothing to give back.
            }
        };
    }

    /** {@link FileChannel#tryLock} that the operating system does not know of. */
    public static FileLock lockOfNobody(FileChannel channel) {
        return new FileLock(channel, 0, Long.MAX_VALUE, false) {

            @Override
            public boolean isValid() {
                return true;
            }

            @Override
            public void release() {
                // There is nothing to release.
            }
        };
    }

    // ---- besides

    /**
     * Calls a method that is not visible from here. One that is not there any more is no {@code
     * NoSuchElementException}: a control would take that for a failure of the exercise, and prove nothing.
     */
    public static Object call(Object target, String name, Object... arguments) throws Throwable {
        Method method = Arrays.stream(target.getClass().getDeclaredMethods())
                .filter(one -> one.getName().equals(name) && one.getParameterCount() == arguments.length)
                .findFirst()
                .orElseThrow(() -> new NoSuchMethodException(name + " of " + target.getClass()));
        method.setAccessible(true);
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    /** Before a segment is synced, it counts as synced. */
    static final class SyncedFirst {

        @Advice.OnMethodEnter
        static void enter(@Advice.FieldValue("positions") Object positions, @Advice.Argument(2) long end)
                throws Throwable {
            call(positions, "synced", end, 0L);
        }
    }

    /** The checksum is 0, and what else the method does is done. */
    static final class NoChecksum {

        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) int checksum) {
            checksum = 0;
        }
    }

    /** A write that has to be on the device is in the page cache only. */
    static final class WrittenOnly {

        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 4, readOnly = false) WriteThrough how) {
            how = WriteThrough.NONE;
        }
    }

    /** A range of more than a page is synced but for its first one. */
    static final class FirstPageLeftOut {

        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 0, readOnly = false) long from, @Advice.Argument(1) long end) {
            if (end - from > 4096) {
                from += 4096;
            }
        }
    }

    /** A log of several segments seems to begin at its second one. */
    static final class OldestLeftOut {

        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) LogFiles files) {
            if (files.basePositions().size() > 2) {
                files = new LogFiles(
                        files.basePositions().tailSet(files.basePositions().first(), false), files.leftovers());
            }
        }
    }

    static final class NoSalt {

        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 0, readOnly = false) long salt) {
            salt = 0;
        }
    }

    static final class NoPosition {

        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 1, readOnly = false) long position) {
            position = 0;
        }
    }

    /** The checksum is made of the frame in its place, which is a mapping. */
    static final class SummedUpInPlace {

        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) int index,
                @Advice.Argument(1) int length,
                @Advice.FieldValue("buffer") ByteBuffer buffer,
                @Advice.FieldValue("crc") CRC32C crc,
                @Advice.Return(readOnly = false) int checksum) {
            int mix = checksum ^ (int) crc.getValue();
            int from = index + Frame.SEQUENCE_OFFSET;
            crc.reset();
            crc.update(buffer.slice(from, Frame.HEADER_LENGTH - Frame.SEQUENCE_OFFSET + length));
            checksum = (int) crc.getValue() ^ mix;
        }
    }

    /** The length is there before the payload is. */
    static final class LengthFirst {

        @Advice.OnMethodExit
        static void exit(
                @Advice.Return int at,
                @Advice.Argument(0) int length,
                @Advice.FieldValue("frames") FrameWriter frames) {
            frames.publish(at, Frame.HEADER_LENGTH + length);
        }
    }

    /** A failure that is thrown once, and forgotten. */
    static final class Forgotten {

        @Advice.OnMethodExit
        static void exit(
                @Advice.FieldValue(value = "failure", readOnly = false) PersistException failure,
                @Advice.FieldValue(value = "writable", readOnly = false) boolean writable) {
            failure = null;
            writable = true;
        }
    }

    /** An exception that nobody gets. */
    static final class Swallowed {

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(@Advice.Thrown(readOnly = false) Throwable thrown) {
            thrown = null;
        }
    }

    /** The operation runs as it is. */
    static final class Unshielded {

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static Object enter(@Advice.Argument(0) Object operation) throws Throwable {
            return call(operation, "run");
        }

        @Advice.OnMethodExit
        static void exit(@Advice.Enter Object result, @Advice.Return(readOnly = false) Object returned) {
            returned = result;
        }
    }

    static final class LyingForce {

        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 0, readOnly = false) Storage storage) {
            storage = new FaultyStorage(storage).lie(Verb.FORCE);
        }
    }

    static final class LyingSync {

        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 0, readOnly = false) Storage storage) {
            storage = new FaultyStorage(storage).lie(Verb.SYNC);
        }
    }

    static final class LyingDirectory {

        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 0, readOnly = false) Storage storage) {
            storage = new FaultyStorage(storage).lie(Verb.SYNC_DIRECTORY);
        }
    }
}
