package io.persist.log.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Await;
import java.io.File;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Persist in the class loader of an application, which a server takes out again while its threads live on. */
class RedeploymentTest {

    @TempDir
    Path directory;

    private static URLClassLoader loader() throws Exception {
        List<URL> path = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            path.add(Path.of(entry).toUri().toURL());
        }
        return new URLClassLoader(path.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    }

    @Test
    void shouldNotKeepTheClassesForAThreadThatHasWaited() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            WeakReference<ClassLoader> gone = pool.submit(this::deploy).get(60, TimeUnit.SECONDS);
            Await.collected("the classes are gone", gone);
        } finally {
            pool.shutdown();
        }
    }

    /** Waits, in vain, for a record that does not come. */
    private WeakReference<ClassLoader> deploy() throws Exception {
        try (URLClassLoader loader = loader()) {
            Class<?> configType = loader.loadClass("io.persist.log.LogConfig");
            Object builder = configType.getMethod("builder", Path.class).invoke(null, directory);
            Object config = builder.getClass().getMethod("build").invoke(builder);
            Class<?> logType = loader.loadClass("io.persist.log.engine.Log");
            Class<?> levelType = loader.loadClass("io.persist.log.Durability");
            try (AutoCloseable log =
                    (AutoCloseable) logType.getMethod("open", configType).invoke(null, config)) {
                logType.getMethod("awaitCommit", long.class, levelType, Duration.class)
                        .invoke(log, 1L << 40, levelType.getField("SYNCED").get(null), Duration.ofMillis(1));
                throw new AssertionError("it waited for nothing");
            } catch (InvocationTargetException late) {
                assertThat(late.getCause().getClass().getSimpleName()).isEqualTo("CommitTimeoutException");
            }
            return new WeakReference<>(loader);
        }
    }
}
