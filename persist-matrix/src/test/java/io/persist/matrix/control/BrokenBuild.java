package io.persist.matrix.control;

import io.persist.matrix.Exercise;
import io.persist.matrix.Subject;
import io.persist.support.ScratchDirectory;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.pool.TypePool;

/**
 * A copy of the library, the kit for tests and the exercises, in which some methods are other ones. All classes of the
 * project are loaded anew for it, so it shares nothing with the whole build but the classes of others. A JVM that an
 * exercise starts by {@link io.persist.support.ChildJvm} has the same methods changed.
 */
final class BrokenBuild {

    private static final String ROOT = "io.persist.";

    private static final ClassFileLocator WHOLE =
            ClassFileLocator.ForClassLoader.of(BrokenBuild.class.getClassLoader());

    /** What classes are as the build has them: one looks at those that it extends, the next one at the same ones. */
    private static final TypePool WHOLE_TYPES = TypePool.Default.of(WHOLE);

    /** The class files of the build: each broken build loads most of them. */
    private static final Map<String, byte[]> WHOLE_FILES = new ConcurrentHashMap<>();

    private final Map<String, byte[]> changed;
    private final ClassLoader loader;

    /** The build with {@code defects}; without any it is as good as the whole one. */
    BrokenBuild(List<Defect> defects) {
        this(classFiles(defects));
    }

    /** The same, for several builds with the same defects. */
    BrokenBuild(Map<String, byte[]> changed) {
        this.changed = changed;
        this.loader = new Loader(getClass().getClassLoader(), changed);
    }

    /** The classes that {@code defects} change, by their names. */
    static Map<String, byte[]> classFiles(List<Defect> defects) {
        Map<String, byte[]> changed = new HashMap<>();
        for (Defect defect : defects) {
            String name = ROOT + defect.type();
            boolean isFirst = !changed.containsKey(name);
            ClassFileLocator now =
                    isFirst ? WHOLE : new ClassFileLocator.Compound(new ClassFileLocator.Simple(changed), WHOLE);
            TypePool types = isFirst ? WHOLE_TYPES : TypePool.Default.of(now);
            DynamicType.Builder<?> builder =
                    new ByteBuddy().redefine(types.describe(name).resolve(), now);
            try (DynamicType.Unloaded<?> made = defect.applyTo(builder).make()) {
                changed.put(name, made.getBytes());
            }
        }
        return changed;
    }

    /** Runs {@code exercise} in this build; throws what it throws. */
    void run(Class<? extends Exercise> exercise, Subject subject, String where) throws Throwable {
        try (ScratchDirectory files = ScratchDirectory.create()) {
            write(files.path());
            Class.forName(ExerciseRun.class.getName(), true, loader)
                    .getMethod("run", String.class, String.class, String.class, String.class)
                    .invoke(
                            null,
                            exercise.getName(),
                            subject.name(),
                            where,
                            files.path().toString());
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    /** For JVMs that the exercise starts. */
    private void write(Path directory) throws IOException {
        for (Map.Entry<String, byte[]> each : changed.entrySet()) {
            Path file = directory.resolve(each.getKey().replace('.', '/') + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, each.getValue());
        }
    }

    private static final class Loader extends ClassLoader {

        private final Map<String, byte[]> changed;

        Loader(ClassLoader parent, Map<String, byte[]> changed) {
            super(parent);
            this.changed = changed;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(ROOT)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded == null) {
                    byte[] bytes = bytes(name);
                    loaded = defineClass(name, bytes, 0, bytes.length);
                }
                return loaded;
            }
        }

        private byte[] bytes(String name) throws ClassNotFoundException {
            byte[] bytes = changed.get(name);
            if (bytes == null) {
                bytes = WHOLE_FILES.get(name);
            }
            if (bytes == null) {
                bytes = read(name);
                WHOLE_FILES.put(name, bytes);
            }
            return bytes;
        }

        private byte[] read(String name) throws ClassNotFoundException {
            try (var file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (file == null) {
                    throw new ClassNotFoundException(name);
                }
                return file.readAllBytes();
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
