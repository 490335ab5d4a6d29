// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The compiler inlines a hot method only below a size in bytecodes; dead branches count. */
class FastPathSizeTest {

  /** HotSpot's FreqInlineSize. */
  private static final int LIMIT = 325;

  @Test
  void fastMethodsInlineWithoutTheirSlowEnds() throws IOException {
    Map<String, Integer> sizes = sizesOf(RawFace.class);
    assertThat(sizes).containsKeys("malloc", "take", "mark", "free", "slotOf");
    // Everything that malloc and free reach on the fast path, as if it stood in one method.
    assertThat(sizes.get("malloc") + sizes.get("take") + sizes.get("mark") + sizes.get("slotOf"))
        .isLessThan(LIMIT);
    assertThat(sizes.get("free") + sizes.get("slotOf")).isLessThan(LIMIT);
  }

  private static Map<String, Integer> sizesOf(Class<?> type) throws IOException {
    Map<String, Integer> sizes = new TreeMap<>();
    String file = "/" + type.getName().replace('.', '/') + ".class";
    try (InputStream in = type.getResourceAsStream(file)) {
      for (MethodModel method : ClassFile.of().parse(in.readAllBytes()).methods()) {
        CodeModel code = method.code().orElse(null);
        if (code instanceof CodeAttribute attribute) {
          sizes.merge(method.methodName().stringValue(), attribute.codeLength(), Math::max);
        }
      }
    }
    return sizes;
  }
}
