package io.persist.file.disk;

import io.persist.memory.MissingPage;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Cleaner;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Maps files so that they can be unmapped at any time, which the Java API allows only since JDK 22: there a shared
 * {@code Arena} owns the mapping, and a late access throws instead of crashing. Before that, {@code
 * Unsafe.invokeCleaner} is the one way; from JDK 24 on it would print a warning, but there it is not used. It needs the
 * module {@code jdk.unsupported}, which a program on the module path, or an image made by {@code jlink}, has only if it
 * was asked for. Without it mappings are left to the garbage collector.
 */
abstract sealed class Unmapper {

    /** A mapped buffer and what unmaps it. */
    record Mapped(MappedByteBuffer buffer, Runnable unmap) {}

    static final Unmapper INSTANCE = create();

    abstract Mapped map(FileChannel channel, MapMode mode, long length) throws IOException;

    private static Unmapper create() {
        try {
            return new WithArena(Cleaner::create);
        } catch (ReflectiveOperationException beforeJdk22) {
            return beforeJdk22();
        }
    }

    private static Unmapper beforeJdk22() {
        try {
            return new WithCleaner();
        } catch (ReflectiveOperationException noUnsafe) {
            return new ByCollector();
        }
    }

    /** Of JDK 22 and later. */
    static final class WithArena extends Unmapper {

        private final Supplier<Cleaner> cleaners;

        /**
         * For mappings that nobody closes, as the JDK has one for its own buffers: an arena does without. Null until
         * the first mapping, and as long as there is no thread for it. Guarded by this.
         */
        private @Nullable Cleaner unclosed;

        private final MethodHandle ofShared;
        private final MethodHandle close;
        private final MethodHandle map;
        private final MethodHandle asByteBuffer;

        /** {@code cleaners} makes a cleaner, which has a thread of its own. */
        WithArena(Supplier<Cleaner> cleaners) throws ReflectiveOperationException {
            this.cleaners = cleaners;
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            Class<?> arena = Class.forName("java.lang.foreign.Arena");
            Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
            ofShared = lookup.findStatic(arena, "ofShared", MethodType.methodType(arena))
                    .asType(MethodType.methodType(Object.class));
            close = lookup.findVirtual(arena, "close", MethodType.methodType(void.class))
                    .asType(MethodType.methodType(void.class, Object.class));
            map = lookup.findVirtual(
                            FileChannel.class,
                            "map",
                            MethodType.methodType(segment, MapMode.class, long.class, long.class, arena))
                    .asType(MethodType.methodType(
                            Object.class, FileChannel.class, MapMode.class, long.class, long.class, Object.class));
            asByteBuffer = lookup.findVirtual(segment, "asByteBuffer", MethodType.methodType(ByteBuffer.class))
                    .asType(MethodType.methodType(ByteBuffer.class, Object.class));
        }

        @Override
        Mapped map(FileChannel channel, MapMode mode, long length) throws IOException {
            try {
                Object arena = (Object) ofShared.invokeExact();
                try {
                    Object segment = (Object) map.invokeExact(channel, mode, 0L, length, arena);
                    ByteBuffer buffer = (ByteBuffer) asByteBuffer.invokeExact(segment);
                    return new Mapped((MappedByteBuffer) buffer, unmap(segment, arena));
                } catch (Throwable failure) {
                    closeArena(arena);
                    throw failure;
                }
            } catch (IOException | RuntimeException | Error failure) {
                throw failure;
            } catch (Throwable impossible) {
                throw new LinkageError("FileChannel.map", impossible);
            }
        }

        /** What unmaps {@code segment}, and does it too when nobody can use it any more, if there is a cleaner. */
        private Runnable unmap(Object segment, Object arena) {
            Cleaner cleaner = cleaner();
            if (cleaner == null) {
                return () -> closeArena(arena);
            }
            // The segment, because every view of the buffer refers to it. The arena does not.
            return cleaner.register(segment, () -> closeArena(arena))::clean; // which closes it once
        }

        /** Null if the process can start no more threads now: a mapping that is closed does without. */
        private synchronized @Nullable Cleaner cleaner() {
            if (unclosed == null) {
                try {
                    unclosed = cleaners.get();
                } catch (OutOfMemoryError noThread) {
                    return null; // the next mapping tries again
                }
            }
            return unclosed;
        }

        private void closeArena(Object arena) {
            try {
                close.invokeExact(arena);
            } catch (RuntimeException | Error failure) {
                throw failure;
            } catch (Throwable impossible) {
                throw new LinkageError("Arena.close", impossible);
            }
        }
    }

    private static final class WithCleaner extends Unmapper {

        private final MethodHandle invokeCleaner;

        WithCleaner() throws ReflectiveOperationException {
            Class<?> unsafeClass = Class.forName("sun.misc.Unsafe");
            Field theUnsafe = unsafeClass.getDeclaredField("theUnsafe");
            theUnsafe.setAccessible(true);
            invokeCleaner = MethodHandles.lookup()
                    .findVirtual(unsafeClass, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
                    .bindTo(theUnsafe.get(null));
        }

        @Override
        Mapped map(FileChannel channel, MapMode mode, long length) throws IOException {
            MappedByteBuffer buffer = channel.map(mode, 0, length);
            return new Mapped(buffer, () -> unmap(buffer));
        }

        private void unmap(ByteBuffer buffer) {
            MissingPage.dropHeld(); // one that came while the JDK cleans would have it end the JVM
            try {
                invokeCleaner.invokeExact(buffer);
            } catch (RuntimeException | Error failure) {
                throw failure;
            } catch (Throwable impossible) {
                throw new LinkageError("Unsafe.invokeCleaner", impossible);
            }
        }
    }

    private static final class ByCollector extends Unmapper {

        private final UncollectedMappings uncollected = new UncollectedMappings(System::gc);

        @Override
        Mapped map(FileChannel channel, MapMode mode, long length) throws IOException {
            MappedByteBuffer buffer = channel.map(mode, 0, length);
            return new Mapped(buffer, () -> uncollected.add(buffer, length));
        }
    }
}
