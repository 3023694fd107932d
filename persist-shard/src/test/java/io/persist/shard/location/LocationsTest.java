package io.persist.shard.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Who knows a scheme. */
class LocationsTest {

    /** As that of a common pool in an application that is one jar of jars. */
    @Test
    void shouldKnowItsOwnSchemesInAThreadWhoseClassLoaderDoesNotSeeThem() throws Exception {
        CompletableFuture<Blob> found = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                found.complete(Locations.blob("mem://"));
            } catch (RuntimeException | Error e) {
                found.completeExceptionally(e);
            }
        });
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        thread.start();
        thread.join();
        assertThat(found).isCompletedWithValueMatching(blob -> blob != null);
    }

    @Test
    void shouldSayWhichClassLoadersItHasAsked() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Locations.blob("tape://reel"))
                .withMessageMatching("uri=tape://reel: no blob of this scheme; known are \\[file, mem.*], to the class"
                        + " loaders of Persist and of this thread");
    }
}
