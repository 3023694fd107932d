package io.persist.jmh;

import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import org.openjdk.jmh.annotations.Fork;

/** The flags that Chronicle Queue needs, the same as in {@code chronicle.jvmargs}, and how it is opened: by default. */
@Fork(
        value = 3,
        jvmArgsAppend = {
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
            "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
            "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "-Dchronicle.analytics.disable=true",
            "-Dchronicle.announcer.disable=true"
        })
public abstract class ChronicleBenchmark {

    static ChronicleQueue open(ScratchDirectory directory) {
        return SingleChronicleQueueBuilder.binary(directory.path()).build();
    }
}
