package io.persist.matrix.life;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * Loads the library, and what tests it, once more, with each call of {@link System#currentTimeMillis} made one of
 * {@link WallClock#currentTimeMillis}: in a class file that is a matter of one number. The system's clock itself is not
 * a test's to set, and the library has no other need to have it replaced.
 */
final class JumpingLibrary extends ClassLoader {

    private static final String OURS = "io.persist.";

    JumpingLibrary() {
        super(JumpingLibrary.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS) || name.equals(WallClock.class.getName())) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = rewritten(in.readAllBytes());
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    /** Two more constants, the class's name and the class; and the method's reference to its class changed to it. */
    private static byte[] rewritten(byte[] classFile) throws IOException {
        ConstantPool pool = new ConstantPool(ByteBuffer.wrap(classFile));
        int reference = pool.methodReference("java/lang/System", "currentTimeMillis");
        if (reference < 0) {
            return classFile;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(classFile.length + 64);
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(classFile, 0, pool.end);
        out.writeByte(ConstantPool.UTF8);
        out.writeUTF(WallClock.class.getName().replace('.', '/'));
        out.writeByte(ConstantPool.CLASS);
        out.writeShort(pool.count);
        out.write(classFile, pool.end, classFile.length - pool.end);
        ByteBuffer changed = ByteBuffer.wrap(bytes.toByteArray());
        changed.putShort(ConstantPool.COUNT_OFFSET, (short) (pool.count + 2));
        changed.putShort(reference + 1, (short) (pool.count + 1));
        return changed.array();
    }

    /** The constants of a class file, as chapter 4.4 of the JVM's specification has them. */
    private static final class ConstantPool {

        static final int COUNT_OFFSET = 8;
        static final int UTF8 = 1;
        static final int CLASS = 7;
        private static final int METHOD = 10;

        final int count;
        final int end;
        private final ByteBuffer file;
        private final Map<Integer, Integer> offsets = new HashMap<>();

        ConstantPool(ByteBuffer file) {
            this.file = file;
            this.count = Short.toUnsignedInt(file.getShort(COUNT_OFFSET));
            int offset = COUNT_OFFSET + Short.BYTES;
            for (int index = 1; index < count; index++) {
                offsets.put(index, offset);
                int tag = file.get(offset);
                offset += length(tag, offset);
                if (tag == 5 || tag == 6) { // a long or a double counts as two
                    index++;
                }
            }
            this.end = offset;
        }

        private int length(int tag, int offset) {
            return switch (tag) {
                case UTF8 -> 3 + Short.toUnsignedInt(file.getShort(offset + 1));
                case 5, 6 -> 9;
                case CLASS, 8, 16, 19, 20 -> 3;
                case 15 -> 4;
                default -> 5;
            };
        }

        /** Where the reference to a method is, -1 if there is none. */
        int methodReference(String type, String method) throws IOException {
            for (int offset : offsets.values()) {
                if (file.get(offset) == METHOD) {
                    int typeName = index(offset(index(offset + 1)) + 1);
                    int methodName = index(offset(index(offset + 3)) + 1);
                    if (text(typeName).equals(type) && text(methodName).equals(method)) {
                        return offset;
                    }
                }
            }
            return -1;
        }

        private int index(int offset) {
            return Short.toUnsignedInt(file.getShort(offset));
        }

        private int offset(int index) {
            return offsets.get(index);
        }

        private String text(int index) throws IOException {
            int offset = offset(index) + 1;
            try (DataInputStream in =
                    new DataInputStream(new ByteArrayInputStream(file.array(), offset, file.capacity() - offset))) {
                return in.readUTF();
            }
        }
    }
}
